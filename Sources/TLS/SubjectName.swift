/// A name under which the server is reached: a host name, perhaps with a wildcard, or an IP address.
enum SubjectName: Hashable {
    case host(String)
    case address(IPAddress)

    /// Longest host name (RFC 1035, 2.3.4).
    static let maximumHostBytes = 253
    /// Longest part of a host name (RFC 1035, 2.3.4).
    static let maximumLabelBytes = 63

    /// From text as people write it; nil when it is neither.
    init?(_ text: String) {
        if let address = IPAddress(text) {
            self = .address(address)
            return
        }
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard Self.isHostName(name) else { return nil }
        self = .host(name)
    }

    /// The names of a command line; an error names the first that is none.
    static func parse(_ texts: [String]) throws(TLSError) -> [SubjectName] {
        var names: [SubjectName] = []
        for text in texts {
            guard let name = SubjectName(text) else {
                throw TLSError(
                    "--san \"\(text)\": expected a host name (push.example.test, *.example.test) or an IP address, "
                        + "without scheme, port or path")
            }
            names.append(name)
        }
        return names
    }

    /// As people write it.
    var text: String {
        switch self {
        case .host(let name): name
        case .address(let address): address.text
        }
    }

    /// In the language of OpenSSL's extension values.
    var extensionText: String {
        switch self {
        case .host(let name): "DNS:\(name)"
        case .address(let address): "IP:\(address.text)"
        }
    }

    /// The same as a permitted subtree: a host name stands for itself and what is below it, an address for itself alone.
    var constraintText: String {
        switch self {
        case .host(let name):
            return "permitted;DNS:\(name.hasPrefix("*.") ? String(name.dropFirst(2)) : name)"
        case .address(let address):
            let mask = IPAddress([UInt8](repeating: 0xFF, count: address.bytes.count))
            return "permitted;IP:\(address.text)/\(mask.text)"
        }
    }

    /// Letters, digits, hyphens and underscores (container names have them) in labels; a wildcard stands for a whole first
    /// label. A last label of digits only would be a mistyped address.
    private static func isHostName(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= maximumHostBytes else { return false }
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels[0] == "*" { labels.removeFirst() }
        guard labels.allSatisfy(isLabel), let last = labels.last else { return false }
        return !last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let bytes = label.utf8
        guard (1...maximumLabelBytes).contains(bytes.count), bytes.first != UInt8(ascii: "-"),
            bytes.last != UInt8(ascii: "-")
        else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
