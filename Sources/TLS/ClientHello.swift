import COpenSSL

/// What a client offered in its first message, kept for explanations.
struct ClientHello {
    /// The highest version that it offered; nil when it names none that is known.
    let version: TLSVersion?
    /// The ALPN list as on the wire, without its outer length; empty without the extension.
    let protocols: [UInt8]
    /// The server name; nil without one.
    let serverName: String?

    /// Extension numbers (IANA, TLS ExtensionType Values).
    private enum Extension {
        static let serverName: UInt32 = 0
        static let protocols: UInt32 = 16
        static let supportedVersions: UInt32 = 43
    }

    /// For use within OpenSSL's client hello callback, where alone it gives the message out.
    init(_ ssl: OpaquePointer) {
        let versions = unsafe Self.extensionBytes(Extension.supportedVersions, ssl)
        version =
            unsafe Self.highest(versions) ?? TLSVersion(rawValue: Int32(SSL_client_hello_get0_legacy_version(ssl)))
        protocols = unsafe Array(Self.extensionBytes(Extension.protocols, ssl).dropFirst(2))
        serverName = unsafe Self.hostName(Self.extensionBytes(Extension.serverName, ssl))
    }

    /// The protocols as text, as many as fit the limit; bytes that are no printable ASCII are escaped.
    var protocolNames: [String] {
        var names: [String] = []
        var rest = protocols[...]
        while let count = rest.popFirst(), Int(count) <= rest.count, names.count < Self.maximumProtocols {
            names.append(Self.printable(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        return names
    }

    /// No more protocols than this are told of a client.
    static let maximumProtocols = 32

    private static func extensionBytes(_ type: UInt32, _ ssl: OpaquePointer) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe SSL_client_hello_get0_ext(ssl, type, &start, &count) == 1 else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// A list with one byte of length, then two bytes a version; the values of RFC 8701 fall out as unknown.
    private static func highest(_ list: [UInt8]) -> TLSVersion? {
        var best: TLSVersion?
        var index = 1
        while index + 1 < list.count {
            let version = TLSVersion(rawValue: Int32(list[index]) << 8 | Int32(list[index + 1]))
            if let version, version.rawValue > best?.rawValue ?? 0 { best = version }
            index += 2
        }
        return best
    }

    /// A list's length, the type (0: host name), the name's length, the name (RFC 6066, 3).
    private static func hostName(_ list: [UInt8]) -> String? {
        guard list.count > 5, list[2] == 0 else { return nil }
        let count = Int(list[3]) << 8 | Int(list[4])
        guard count == list.count - 5 else { return nil }
        return printable(list.dropFirst(5))
    }

    private static func printable(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "\\") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + Hexadecimal.text([byte])
            }
        }
        return text
    }
}
