import Simulation

/// Reads what a peer sends in clear text before TLS begins: nothing, a CONNECT request, or what no APNs sender says.
///
/// It is shown the waiting bytes without consuming them, so that TLS finds its first record untouched.
struct ClearTextOpening {
    /// What to do with the connection.
    enum Verdict: Equatable {
        /// TLS begins here.
        case tls
        /// Wait for more bytes.
        case more
        /// Answer that the tunnel stands; TLS follows as this host.
        case tunnel(host: String)
        /// HTTP/2 without TLS begins with what was consumed.
        case http2
        /// The peer speaks something else.
        case refused(Refusal)
    }

    /// Why the peer is refused.
    enum Refusal: Equatable {
        case clearTextHTTP1(method: String)
        case clearTextHTTP2
        case malformedConnect
        case headTooLong
        case notTLS
        /// The tunnel is switched off.
        case connectIsOff
        /// On a listener for HTTP/2 in clear text: TLS, a request of HTTP/1, or something else.
        case unexpectedTLS
        case unexpectedHTTP1(method: String)
        case notHTTP2
    }

    /// How the peer is told that the tunnel stands; aioapns compares the first 20 bytes.
    static let tunnelAnswer: StaticString = "HTTP/1.1 200 Connection established\r\n\r\n"

    /// The first byte of every TLS connection: a handshake record.
    private static let handshakeRecord: UInt8 = 0x16

    private let limit: Int
    private let speaksHTTP2: Bool
    private let acceptsConnect: Bool
    private(set) var head: [UInt8] = []

    /// An opening of which at most so many bytes are kept; with `speaksHTTP2` on a listener without TLS.
    init(limit: Int, speaksHTTP2: Bool = false, acceptsConnect: Bool = true) {
        self.limit = limit
        self.speaksHTTP2 = speaksHTTP2
        self.acceptsConnect = acceptsConnect
    }

    /// Looks at the bytes that wait; returns how many of them to consume and the verdict.
    mutating func examine(_ waiting: some Collection<UInt8>) -> (consumed: Int, verdict: Verdict) {
        guard let first = waiting.first else { return (0, .more) }
        if head.isEmpty, first == Self.handshakeRecord { return (0, speaksHTTP2 ? .refused(.unexpectedTLS) : .tls) }
        var consumed = 0
        for byte in waiting {
            head.append(byte)
            consumed += 1
            if let verdict = verdictAfterByte() { return (consumed, verdict) }
        }
        return (consumed, .more)
    }

    /// The verdict as soon as the bytes so far allow one. A CONNECT request is never read past its end.
    private func verdictAfterByte() -> Verdict? {
        if speaksHTTP2 { return clearTextVerdict() }
        if isPrefix(of: "CONNECT ") || head.starts(with: "CONNECT ".utf8) {
            if head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                return acceptsConnect ? connectVerdict() : .refused(.connectIsOff)
            }
            return head.count >= limit ? .refused(.headTooLong) : nil
        }
        if isPrefix(of: "PRI * HTTP/2.0") { return head.count == 14 ? .refused(.clearTextHTTP2) : nil }
        guard let last = head.last else { return nil }
        if last == UInt8(ascii: " "), head.count > 1 {
            return .refused(.clearTextHTTP1(method: String(decoding: head.dropLast(), as: UTF8.self)))
        }
        let isMethodLetter = (65...90).contains(last)
        return isMethodLetter && head.count <= 16 ? nil : .refused(.notTLS)
    }

    /// The verdict where HTTP/2 is expected without TLS.
    private func clearTextVerdict() -> Verdict? {
        if isPrefix(of: "PRI * HTTP/2.0") { return head.count == 14 ? .http2 : nil }
        guard let last = head.last else { return nil }
        if last == UInt8(ascii: " "), head.count > 1 {
            return .refused(.unexpectedHTTP1(method: String(decoding: head.dropLast(), as: UTF8.self)))
        }
        return (65...90).contains(last) && head.count <= 16 ? nil : .refused(.notHTTP2)
    }

    private func isPrefix(of text: StaticString) -> Bool {
        text.description.utf8.starts(with: head)
    }

    private func connectVerdict() -> Verdict {
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), let colon = words[1].lastIndex(of: ":"),
            UInt16(words[1][words[1].index(after: colon)...]) != nil, colon != words[1].startIndex
        else { return .refused(.malformedConnect) }
        return .tunnel(host: String(words[1][..<colon]))
    }
}

extension ClearTextOpening.Refusal {
    /// What the log says about it.
    func breakage(firstBytes: [UInt8]) -> JournalEntry.Breakage {
        JournalEntry.Breakage(cause: cause, explanation: explanation, firstBytes: firstBytes)
    }

    private var cause: String {
        switch self {
        case .clearTextHTTP1, .malformedConnect, .headTooLong, .connectIsOff, .unexpectedHTTP1: "http1"
        case .clearTextHTTP2, .notHTTP2: "http2"
        case .notTLS, .unexpectedTLS: "tls"
        }
    }

    private var explanation: String {
        switch self {
        case .clearTextHTTP1(let method):
            "The client sent a clear-text HTTP/1 request (\(method)); this port speaks HTTP/2 over TLS: use https:// and"
                + " HTTP/2, or start the server with --http1-listen for clear-text HTTP/1.1"
        case .clearTextHTTP2:
            "The client speaks HTTP/2 without TLS; this port wants TLS: use https://, or start the server with --h2c-listen"
        case .malformedConnect:
            "The client sent a CONNECT request that cannot be read; expected CONNECT HOST:PORT HTTP/1.1"
        case .headTooLong:
            "The client sent a CONNECT request with too long a head"
        case .notTLS:
            "The client's first bytes are neither TLS nor a CONNECT request; this port speaks HTTP/2 over TLS"
        case .connectIsOff:
            "The client sent a CONNECT request, and the server was started with --no-connect-proxy"
        case .unexpectedTLS:
            "The client began TLS; this port speaks HTTP/2 in clear text: use http://, or the port of --listen for TLS"
        case .unexpectedHTTP1(let method):
            "The client sent an HTTP/1 request (\(method)); this port speaks HTTP/2 with prior knowledge only: make the"
                + " client use that (curl --http2-prior-knowledge), or the port of --http1-listen for HTTP/1.1"
        case .notHTTP2:
            "The client's first bytes are not the preface of HTTP/2; this port speaks HTTP/2 in clear text"
        }
    }

    /// What the peer is told before the connection is closed; nothing when it would not understand.
    var answer: [UInt8] {
        switch self {
        case .clearTextHTTP1, .malformedConnect, .headTooLong, .connectIsOff, .unexpectedHTTP1:
            let body = "mock-apns: \(explanation)\n"
            let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ncontent-length: \(body.utf8.count)\r\n"
            return Array((head + "connection: close\r\n\r\n" + body).utf8)
        case .clearTextHTTP2, .notTLS, .unexpectedTLS, .notHTTP2:
            return []
        }
    }
}
