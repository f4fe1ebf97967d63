#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension SubjectName {
    /// The names in every server certificate: this machine's and those of APNs.
    static let standard: [SubjectName] = [
        "localhost", "127.0.0.1", "::1", "host.docker.internal", "*.apns.localhost", "mock-apns",
        "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
    ].compactMap(SubjectName.init)

    /// The machine's host name, a container's own name inside a container; nil when no certificate can hold it.
    static func ofMachine() -> SubjectName? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximumHostBytes + 2) { buffer in
            unsafe buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress, unsafe gethostname(start, buffer.count - 1) == 0 else { return nil }
            let text = unsafe String(cString: start)
            // Some verifiers refuse a certificate as a whole for an underscore, which nobody asked for here.
            guard !text.contains("_"), case .host(let name)? = SubjectName(text), !name.hasPrefix("*") else {
                return nil
            }
            return .host(name)
        }
    }
}
