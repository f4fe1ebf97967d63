#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The name in a `Host` field, judged against DNS rebinding: a page of a public name that was pointed at this machine
/// must not reach the admin API.
package struct HostName: Sendable, Equatable {
    /// In lower case, without port, brackets and a dot at the end.
    package let name: String
    private let isBracketed: Bool

    /// Reads "localhost:2198", "[::1]:2198", "example.com".
    package init(_ field: String) {
        let text = field.trimmed.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            name = String(text[text.index(after: text.startIndex)..<end])
            isBracketed = true
        } else {
            let host = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            name = String(host.hasSuffix(".") ? host.dropLast() : host)
            isBracketed = false
        }
    }

    /// Whether the name can only mean a machine that somebody chose: an address, `localhost`, a single label such as a
    /// container's name, `*.internal`, or one of `allowed` (exact, or `*.example.com`).
    package func isLocal(allowed: [String]) -> Bool {
        if isBracketed { return isAddress(AF_INET6) }
        if name.isEmpty || !name.utf8.allSatisfy(Self.isNameByte) { return false }
        if !name.contains(".") || isAddress(AF_INET) { return true }
        if name.hasSuffix(".localhost") || name.hasSuffix(".internal") { return true }
        return allowed.contains { pattern in
            let pattern = pattern.lowercased()
            return pattern == "*" || pattern == name || pattern.hasPrefix("*.") && name.hasSuffix(pattern.dropFirst())
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func isAddress(_ family: Int32) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(family, name, &address) == 1
    }
}
