import Foundation
import Locking
import Testing

@testable import EventLoop

struct HTTP1ClientTests {
    /// One request to a server of these tests.
    private func send(
        _ server: HTTPFixture, method: String = "GET", _ target: String = "/", headers: [(String, String)] = [],
        body: [UInt8] = [], timeout: Int64 = 20_000, onPiece: (([UInt8]) -> Bool)? = nil
    ) throws -> HTTP1Client.Response {
        let host = try #require(server.address.host)
        let port = try #require(server.address.port)
        return try HTTP1Client.send(
            method: method, host: host, port: port, target: target, headers: headers, body: body,
            timeoutMilliseconds: timeout, onPiece: onPiece)
    }

    @Test func `an answer comes whole`() throws {
        try withServer { exchange in
            exchange.answer(
                "\(exchange.method) \(exchange.path)?\(exchange.query) \(exchange.header("host") ?? "") "
                    + "\(exchange.header("x-tag") ?? "") \(String(decoding: exchange.body, as: UTF8.self))",
                status: 201, headers: [("X-One", "1"), ("X-One", "2")])
        } _: { server in
            let response = try send(
                server, method: "POST", "/a%20b?c=d", headers: [("x-tag", "tag")], body: Array("the body".utf8))
            #expect(response.status == 201)
            #expect(response.headers.filter { $0.name == "X-One" }.map(\.value) == ["1", "2"])
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text == "POST /a%20b?c=d \(server.address) tag the body")
        }
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
    func `every method is sent`(method: String) throws {
        try withServer { exchange in
            exchange.answer("", headers: [("X-Method", exchange.method), ("X-Body", String(exchange.body.count))])
        } _: { server in
            let body: [UInt8] = method == "HEAD" ? [] : [1, 2, 3]
            let response = try send(server, method: method, body: body)
            #expect(response.headers.first { $0.name == "X-Method" }?.value == method)
            #expect(response.headers.first { $0.name == "X-Body" }?.value == String(body.count))
        }
    }

    @Test(arguments: [200, 204, 304, 404, 417, 503])
    func `every status is an answer`(status: Int) throws {
        try withServer {
            $0.answer("text", status: status)
        } _: { server in
            let response = try send(server)
            #expect(response.status == status)
            #expect(response.body.count == (HTTP1Status.hasBody(status) ? 4 : 0))
        }
    }

    @Test func `a large body goes there and back`() throws {
        try withServer {
            $0.respond(status: 200, headers: [], body: $0.body)
        } _: { server in
            var generator = SystemRandomNumberGenerator()
            let body = (0..<(1 << 20)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let response = try send(server, method: "PUT", body: body)
            #expect(response.body == body)
        }
    }

    @Test func `a refusal of a body that is too long is read`() throws {
        try withServer {
            $0.answer("")
        } _: { server in
            let response = try send(server, method: "PUT", body: [UInt8](repeating: 0, count: 3 << 20))
            #expect(response.status == 413)
        }
    }

    @Test func `a stream is read to its end, or piece by piece until enough`() throws {
        try withServer { exchange in
            exchange.startStream(status: 200, headers: [("X-Kind", "stream")])
            for number in 0..<5 { exchange.send(Array("\(number)\n".utf8)) }
            if exchange.path == "/whole" { exchange.endStream() }
        } _: { server in
            let whole = try send(server, "/whole")
            #expect(String(decoding: whole.body, as: UTF8.self) == "0\n1\n2\n3\n4\n")
            var pieces: [String] = []
            let some = try send(server, "/endless") { piece in
                pieces.append(String(decoding: piece, as: UTF8.self))
                return pieces.count < 3
            }
            #expect(pieces == ["0\n", "1\n", "2\n"])
            #expect(some.status == 200)
            #expect(some.body.isEmpty)
            #expect(some.headers.first { $0.name == "X-Kind" }?.value == "stream")
        }
    }

    @Test func `the limit of time does not end a stream that has begun`() throws {
        final class Shelf: @unchecked Sendable {
            // Sendable because only the server's loop touches it.
            var timer: LoopTimer?
            var exchange: HTTP1Exchange?
        }
        let shelf = Shelf()
        let fixture = Lock<HTTPFixture?>(nil)
        try withServer { exchange in
            exchange.startStream(status: 200, headers: [])
            shelf.exchange = exchange
            let bound = fixture.withLock { $0 }
            bound?.thread.mailbox.post { loop in
                shelf.timer = try? loop.after(milliseconds: 1200) {
                    shelf.exchange?.send(Array("late".utf8))
                    shelf.exchange?.endStream()
                }
            }
        } _: { server in
            fixture.withLock { $0 = server }
            defer { fixture.withLock { $0 = nil } }
            var text = ""
            _ = try send(server, timeout: 1000) { piece in
                text += String(decoding: piece, as: UTF8.self)
                return true
            }
            #expect(text == "late")
        }
    }

    @Test func `a connection that is refused is said with the address`() throws {
        let unused = try unusedPort()
        for host in ["127.0.0.1", "localhost", "LOCALHOST", "::1", "[::1]"] {
            #expect {
                _ = try HTTP1Client.send(
                    method: "GET", host: host, port: unused, target: "/", timeoutMilliseconds: 20_000)
            } throws: { error in
                let shown = host.contains(":") ? "[::1]" : host
                return (error as? EventLoopError)?.errorNumber == ECONNREFUSED
                    && "\(error)" == "connect to \(shown):\(unused): Connection refused"
            }
        }
    }

    @Test func `localhost is found at either loopback address`() throws {
        for host in ["127.0.0.1", "::1"] {
            try withServer(.ip(host: host, port: 0)) {
                $0.answer($0.header("host") ?? "")
            } _: { server in
                let port = try #require(server.address.port)
                let response = try HTTP1Client.send(
                    method: "GET", host: "localhost", port: port, target: "/", timeoutMilliseconds: 20_000)
                #expect(String(decoding: response.body, as: UTF8.self) == "localhost:\(port)")
            }
        }
    }

    @Test func `a name of the hosts file is found`() throws {
        let hosts = try String(contentsOfFile: "/etc/hosts", encoding: .utf8)
        let names = hosts.split(separator: "\n").compactMap { line -> String? in
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            return words.first == "127.0.0.1" ? words.dropFirst().last { $0 != "localhost" } : nil
        }
        // Without such a name there is nothing to show here.
        guard let name = names.first else { return }
        try withServer {
            $0.answer("found")
        } _: { server in
            let response = try HTTP1Client.send(
                method: "GET", host: name, port: try #require(server.address.port), target: "/",
                timeoutMilliseconds: 20_000)
            #expect(String(decoding: response.body, as: UTF8.self) == "found")
        }
    }

    @Test func `an unknown name is said, or the time is over`() throws {
        #expect {
            _ = try HTTP1Client.send(
                method: "GET", host: "no such host", port: 1, target: "/", timeoutMilliseconds: 2000)
        } throws: { error in
            let text = "\(error)"
            return text == "connect to no such host:1: the name no such host is not known"
                || text == "wait for no such host:1: no answer within 2000 ms"
        }
    }

    @Test func `a server that does not answer in time is said`() throws {
        // The exchange is kept by the server until the guest leaves.
        try withServer { _ in
        } _: { server in
            #expect {
                _ = try send(server, timeout: 50)
            } throws: { error in
                (error as? EventLoopError)?.errorNumber == ETIMEDOUT
                    && "\(error)" == "wait for \(server.address): no answer within 50 ms"
            }
        }
    }

    @Test(arguments: [
        ("", ECONNRESET, "the connection ended before the answer did"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", ECONNRESET,
            "the connection ended before the answer did"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nsh", ECONNRESET, "the connection ended before"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", EMSGSIZE,
            "the answer is too long or its pieces"
        ),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", EPROTO, "the answer is no HTTP/1.1"),
        ("HTTP/2 200 OK\r\n\r\n", EPROTO, "the answer is no HTTP/1.1"),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", EPROTO, "the answer is no HTTP/1.1"),
    ])
    func `an answer that is none is said`(answer: String, number: Int32, words: String) throws {
        try withRawServer(answer) { address in
            #expect {
                _ = try HTTP1Client.send(
                    method: "GET", host: try #require(address.host), port: try #require(address.port), target: "/",
                    timeoutMilliseconds: 20_000)
            } throws: { error in
                (error as? EventLoopError)?.errorNumber == number
                    && "\(error)".hasPrefix("wait for \(address): \(words)")
            }
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\nuntil the end", "until the end"), ("HTTP/1.0 200 OK\r\n\r\nold", "old"),
        ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n", "ok"),
    ])
    func `other servers' answers are read`(answer: String, body: String) throws {
        try withRawServer(answer) { address in
            let response = try HTTP1Client.send(
                method: "GET", host: try #require(address.host), port: try #require(address.port), target: "/",
                timeoutMilliseconds: 20_000)
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == body)
        }
    }

    @Test(arguments: [
        ("GET", "/a b", "127.0.0.1"), ("GET", "/a\r\nX: 1", "127.0.0.1"), ("GET", "", "127.0.0.1"),
        ("GET", "a", "127.0.0.1"),
        ("BREW", "/", "127.0.0.1"), ("GET", "/", ""), ("GET", "/", "a\0b"),
    ])
    func `what cannot be sent is refused`(method: String, target: String, host: String) {
        #expect {
            _ = try HTTP1Client.send(
                method: method, host: host, port: 1, target: target, timeoutMilliseconds: 20_000)
        } throws: {
            ($0 as? EventLoopError)?.errorNumber == EINVAL
        }
    }

    /// A port that nobody listens at.
    private func unusedPort() throws -> UInt16 {
        let loop = try EventLoop()
        let listener = try Listener(.ip(host: "127.0.0.1", port: 0), on: loop) { _, _ in }
        defer { listener.close() }
        return try #require(listener.address.port)
    }

    /// A server that reads a request's head, writes these bytes and closes.
    private func withRawServer(_ answer: String, _ body: (SocketAddress) throws -> Void) throws {
        let address = Lock<SocketAddress?>(nil)
        let thread = try LoopThread(name: "raw server") { loop in
            let owner = RawServer(answer)
            owner.listener = try Listener(.ip(host: "127.0.0.1", port: 0), on: loop) { descriptor, _ in
                owner.serve(descriptor, on: loop)
            }
            address.withLock { $0 = owner.listener?.address }
            loop.onTurnEnd = { owner.listener?.close() }
        }
        defer {
            thread.mailbox.post { loop in
                loop.requestTurnEnd()
                loop.stop()
            }
            thread.join()
        }
        try body(try #require(address.withLock { $0 }))
    }

    private final class RawServer: ReadinessHandler {
        var listener: Listener?
        private let answer: [UInt8]
        private var descriptor: Int32 = -1
        private var watch: SocketWatch?

        init(_ answer: String) { self.answer = Array(answer.utf8) }

        func serve(_ descriptor: Int32, on loop: EventLoop) {
            self.descriptor = descriptor
            watch = try? loop.watch(descriptor, self)
        }

        func readable() {
            drain(descriptor)
            if !answer.isEmpty { _ = Foundation.send(descriptor, answer, answer.count, 0) }
            watch?.cancel()
            watch = nil
            close(descriptor)
        }

        func writable() {}
    }
}
