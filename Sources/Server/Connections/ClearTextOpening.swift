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
    }

    /// How the peer is told that the tunnel stands; aioapns compares the first 20 bytes.
    static let tunnelAnswer: StaticString = "HTTP/1.1 200 Connection established\r\n\r\n"

    /// The first byte of every TLS connection: a handshake record.
    private static let handshakeRecord: UInt8 = 0x16

    private let limit: Int
    private(set) var head: [UInt8] = []

    /// An opening of which at most so many bytes are kept.
    init(limit: Int) {
        self.limit = limit
    }

    /// Looks at the bytes that wait; returns how many of them to consume and the verdict.
    mutating func examine(_ waiting: some Collection<UInt8>) -> (consumed: Int, verdict: Verdict) {
        guard let first = waiting.first else { return (0, .more) }
        if head.isEmpty, first == Self.handshakeRecord { return (0, .tls) }
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
        if isPrefix(of: "CONNECT ") || head.starts(with: "CONNECT ".utf8) {
            if head.suffix(4).elementsEqual("\r\n\r\n".utf8) { return connectVerdict() }
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
        case .clearTextHTTP1, .malformedConnect, .headTooLong: "http1"
        case .clearTextHTTP2: "http2"
        case .notTLS: "tls"
        }
    }

    private var explanation: String {
        switch self {
        case .clearTextHTTP1(let method):
            "The client sent a clear-text HTTP/1 request (\(method)); this port speaks HTTP/2 over TLS: use https:// and HTTP/2"
        case .clearTextHTTP2:
            "The client speaks HTTP/2 without TLS; this port wants TLS: use https://"
        case .malformedConnect:
            "The client sent a CONNECT request that cannot be read; expected CONNECT HOST:PORT HTTP/1.1"
        case .headTooLong:
            "The client sent a CONNECT request with too long a head"
        case .notTLS:
            "The client's first bytes are neither TLS nor a CONNECT request; this port speaks HTTP/2 over TLS"
        }
    }

    /// What the peer is told before the connection is closed; nothing when it would not understand.
    var answer: [UInt8] {
        switch self {
        case .clearTextHTTP1, .malformedConnect, .headTooLong:
            let body = "mock-apns: \(explanation)\n"
            let head = "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\ncontent-length: \(body.utf8.count)\r\n"
            return Array((head + "connection: close\r\n\r\n" + body).utf8)
        case .clearTextHTTP2, .notTLS:
            return []
        }
    }
}
