#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The address of our end of a connection.
enum LocalAddress {
    /// As numbers, "10.0.0.5" or "::1"; nil for sockets that have none.
    static func text(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &length) == 0
            }
        }
        guard isKnown else { return nil }
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: sockaddr_in.self) }
            return unsafe withUnsafeBytes(of: address.sin_addr) { unsafe IPAddress(Array($0)).text }
        case AF_INET6:
            let address = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: sockaddr_in6.self) }
            return unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe IPAddress(Array($0)).text }
        default:
            return nil
        }
    }
}
