/// What somebody probably meant whose first bytes are no TLS.
enum PlainTextGuess {
    /// HTTP/1.1 in clear text; the request line as far as it was kept.
    case http1(String)
    /// HTTP/2 in clear text.
    case http2
    /// A frame of the binary protocol that APNs had until 2021.
    case legacyPush
    /// Anything else.
    case garbage([UInt8])

    /// Nil for what may be the beginning of a handshake.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !Self.mayBeTLS(bytes) else { return nil }
        let line = bytes.prefix { (0x20...0x7E).contains($0) }
        let words = String(decoding: line, as: UTF8.self)
        if words.hasPrefix("PRI * HTTP/2") {
            self = .http2
        } else if Self.methods.contains(where: { words.hasPrefix($0) }) {
            self = .http1(words)
        } else if Self.isLegacyPush(bytes) {
            self = .legacyPush
        } else {
            self = .garbage(bytes)
        }
    }

    /// The failure for a log.
    func failure(_ detail: String) -> TLSFailure {
        switch self {
        case .http1(let line):
            TLSFailure(
                cause: "http", detail: detail,
                explanation: "The client spoke clear-text HTTP/1.1 to the TLS port (\"\(line)\"): use https and HTTP/2")
        case .http2:
            TLSFailure(
                cause: "http", detail: detail,
                explanation: "The client spoke clear-text HTTP/2 to the TLS port: use https, or the clear-text listener"
            )
        case .legacyPush:
            TLSFailure(
                cause: "legacy_protocol", detail: detail,
                explanation: "The client spoke the legacy binary protocol, in clear text, which APNs ended in 2021: "
                    + "use HTTP/2 over TLS, POST /3/device/<device token>")
        case .garbage(let bytes):
            TLSFailure(
                cause: "not_tls", detail: detail,
                explanation: "The first bytes are no TLS (\(Hexadecimal.text(bytes.prefix(16)))): "
                    + "the client speaks another protocol, or something between the two changes the bytes")
        }
    }

    /// A command 0, 1 or 2 and the length of 32 bytes of a device token where the command has it.
    private static func isLegacyPush(_ bytes: [UInt8]) -> Bool {
        switch bytes[0] {
        case 0: bytes.count >= 3 && bytes[1] == 0 && bytes[2] == 32
        case 1: bytes.count >= 11 && bytes[9] == 0 && bytes[10] == 32
        case 2: bytes.count >= 8 && bytes[5] == 1 && bytes[6] == 0 && bytes[7] == 32
        default: false
        }
    }

    private static let methods = [
        "GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE ",
    ]

    /// A handshake or alert record of any version, or the beginning of one.
    private static func mayBeTLS(_ bytes: [UInt8]) -> Bool {
        guard bytes[0] == 0x16 || bytes[0] == 0x15 else { return false }
        return bytes.count < 2 || bytes[1] == 0x03
    }
}
