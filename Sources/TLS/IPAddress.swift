#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An IP address of four or sixteen bytes.
struct IPAddress: Hashable {
    /// In network order.
    let bytes: [UInt8]

    /// From bytes; an IPv4 address inside IPv6 (::ffff:a.b.c.d) becomes the former.
    init(_ bytes: [UInt8]) {
        let isMapped =
            bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// From numbers as people write them, IPv6 also in brackets.
    init?(_ text: String) {
        var plain = text
        if plain.hasPrefix("["), plain.hasSuffix("]") { plain = String(plain.dropFirst().dropLast()) }
        var short = in_addr()
        var long = in6_addr()
        if unsafe inet_pton(AF_INET, plain, &short) == 1 {
            self.init(unsafe withUnsafeBytes(of: short) { unsafe Array($0) })
        } else if unsafe inet_pton(AF_INET6, plain, &long) == 1 {
            self.init(unsafe withUnsafeBytes(of: long) { unsafe Array($0) })
        } else {
            return nil
        }
    }

    /// As numbers.
    var text: String {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = buffer.baseAddress, unsafe inet_ntop(family, bytes, start, socklen_t(buffer.count)) != nil
            else { return "" }
            return unsafe String(cString: start)
        }
    }
}
