import Foundation
import Testing

@testable import Server

struct ClearTextOpeningTests {
    /// Shows the bytes in pieces of this size, as a socket would.
    private func verdict(
        _ bytes: [UInt8], piece: Int = .max, limit: Int = 256, speaksHTTP2: Bool = false, acceptsConnect: Bool = true
    ) -> (verdict: ClearTextOpening.Verdict, consumed: Int) {
        var opening = ClearTextOpening(limit: limit, speaksHTTP2: speaksHTTP2, acceptsConnect: acceptsConnect)
        var consumed = 0
        while consumed < bytes.count {
            let result = opening.examine(bytes[consumed...].prefix(piece))
            consumed += result.consumed
            if result.verdict != .more { return (result.verdict, consumed) }
        }
        return (.more, consumed)
    }

    @Test func `TLS is left untouched`() {
        let result = verdict([0x16, 3, 1, 2, 0])
        #expect(result.verdict == .tls)
        #expect(result.consumed == 0)
    }

    @Test(arguments: [1, 3, 1000])
    func `a tunnel is granted and nothing behind its head is consumed`(piece: Int) {
        let head = Array("CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com\r\n\r\n".utf8)
        let result = verdict(head + [0x16, 3, 1], piece: piece)
        #expect(result.verdict == .tunnel(host: "api.push.apple.com"))
        #expect(result.consumed == head.count)
    }

    @Test(arguments: [
        "CONNECT api.push.apple.com HTTP/1.1\r\n\r\n", "CONNECT :443 HTTP/1.1\r\n\r\n", "CONNECT a:x HTTP/1.1\r\n\r\n",
        "CONNECT a:443 HTTP/2\r\n\r\n", "CONNECT \r\n\r\n", "CONNECT a:70000 HTTP/1.1\r\n\r\n",
    ])
    func `a tunnel to nowhere is refused`(_ head: String) {
        #expect(verdict(Array(head.utf8)).verdict == .refused(.malformedConnect))
    }

    @Test func `a head without end is cut at the limit`() {
        let head = Array("CONNECT a:443 HTTP/1.1\r\n".utf8) + [UInt8](repeating: 120, count: 1000)
        let result = verdict(head, limit: 256)
        #expect(result.verdict == .refused(.headTooLong))
        #expect(result.consumed == 256)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n", ClearTextOpening.Refusal.clearTextHTTP1(method: "GET")),
        ("COPY / HTTP/1.1\r\n", .clearTextHTTP1(method: "COPY")),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .clearTextHTTP2),
        ("PROPFIND / HTTP/1.1\r\n", .clearTextHTTP1(method: "PROPFIND")),
        ("\u{1}\u{2}", .notTLS), ("hello", .notTLS), (" GET", .notTLS), ("ABCDEFGHIJKLMNOPQRST", .notTLS),
    ])
    func `others are told apart`(_ text: String, _ refusal: ClearTextOpening.Refusal) {
        #expect(verdict(Array(text.utf8)).verdict == .refused(refusal))
        #expect(verdict(Array(text.utf8), piece: 1).verdict == .refused(refusal))
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n", ClearTextOpening.Refusal.unexpectedHTTP1(method: "GET")),
        ("CONNECT a:443 HTTP/1.1\r\n\r\n", .unexpectedHTTP1(method: "CONNECT")),
        ("PRI * HTTP/1.1", .notHTTP2), ("\u{16}\u{3}\u{1}", .unexpectedTLS), ("hello", .notHTTP2),
        ("ABCDEFGHIJKLMNOPQRST", .notHTTP2),
    ])
    func `a listener for HTTP/2 in clear text wants its preface`(_ text: String, _ refusal: ClearTextOpening.Refusal) {
        #expect(verdict(Array(text.utf8), speaksHTTP2: true).verdict == .refused(refusal))
        #expect(verdict(Array(text.utf8), piece: 1, speaksHTTP2: true).verdict == .refused(refusal))
    }

    @Test(arguments: [1, 1000])
    func `HTTP/2 in clear text begins with its preface`(piece: Int) {
        let result = verdict(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), piece: piece, speaksHTTP2: true)
        #expect(result.verdict == .http2)
        #expect(result.consumed == 14)
        #expect(verdict(Array("PRI * HT".utf8), speaksHTTP2: true).verdict == .more)
    }

    @Test func `the tunnel can be switched off`() {
        let head = Array("CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n".utf8)
        #expect(verdict(head, acceptsConnect: false).verdict == .refused(.connectIsOff))
        #expect(verdict([0x16, 3, 1], acceptsConnect: false).verdict == .tls)
    }

    @Test func `an unfinished opening waits`() {
        #expect(verdict(Array("CONNECT a:443 HTTP/1.1\r\n".utf8)).verdict == .more)
        #expect(verdict(Array("PRI".utf8)).verdict == .more)
    }

    @Test func `a refusal is explained to those who speak HTTP 1`() throws {
        let answer = String(decoding: ClearTextOpening.Refusal.clearTextHTTP1(method: "GET").answer, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        #expect(answer.contains("content-length: \(body.utf8.count)\r\n"))
        #expect(body.contains("use https://"))
        #expect(ClearTextOpening.Refusal.notTLS.answer.isEmpty)
    }
}
