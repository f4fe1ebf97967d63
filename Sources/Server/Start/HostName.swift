#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The machine's own name, under which containers call each other.
enum HostName {
    /// The name; nil when it has none that a certificate could hold.
    static var current: String? {
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String? in
            unsafe buffer.initialize(repeating: 0)
            guard let start = buffer.baseAddress, unsafe gethostname(start, buffer.count - 1) == 0 else { return nil }
            return unsafe String(cString: start)
        }
        guard let name, !name.isEmpty, name.utf8.count <= 253, name != "localhost" else { return nil }
        return name.utf8.allSatisfy(isPlain) ? name : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
