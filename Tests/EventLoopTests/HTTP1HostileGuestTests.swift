import Foundation
import Locking
import Testing

@testable import EventLoop

/// Bytes that are no good request; the server answers or closes, and goes on.
struct HTTP1HostileGuestTests {
    /// Whether the server still answers a good request.
    private func isAlive(_ server: HTTPFixture) throws -> Bool {
        try server.exchange("GET /alive HTTP/1.0\r\n\r\n").hasSuffix("/alive")
    }

    @Test(arguments: [
        "\r\n\r\n", "GET\r\n\r\n", "GET / \r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/x.y\r\n\r\n",
        "GET /\0 HTTP/1.1\r\n\r\n", "GET http://[::1 HTTP/1.1\r\n\r\n", "GET http://h:99999/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n folded first\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n",
    ])
    func `garbage is refused`(request: String) throws {
        let handled = Report<String>()
        try withServer { exchange in
            handled.add(exchange.path)
            exchange.answer(exchange.path)
        } _: { server in
            let connection = try server.connect()
            try connection.send(request)
            connection.finishSending()
            let answer = connection.receiveAll()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"), "\(answer)")
            #expect(handled.all.isEmpty)
            #expect(try isAlive(server))
        }
    }

    @Test(arguments: [
        ("Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        ("Content-Length: 3\r\nContent-Length: 4", "abcd"),
        ("Transfer-Encoding: gzip, chunked", ""),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
    ])
    func `a request whose end is in doubt is refused and the connection closed`(fields: String, body: String) throws {
        let handled = Report<String>()
        try withServer {
            handled.add($0.path)
        } _: { server in
            let answer = try server.exchange(
                "POST /a HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
            // Some releases of libevent refuse some of these themselves, as too large.
            #expect(answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(handled.all.isEmpty)
        }
    }

    @Test(arguments: ["HEAD", "TRACE"])
    func `a request that has no body is refused when it has one`(method: String) throws {
        let handled = Report<String>()
        try withServer {
            handled.add($0.path)
        } _: { server in
            let answer = try server.exchange(
                "\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\nGET / HTTP/1.1\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(handled.all.isEmpty)
        }
    }

    @Test(arguments: ["CONNECT", "BREW", "get"])
    func `another method is not implemented`(method: String) throws {
        try withServer {
            $0.answer($0.path)
        } _: { server in
            let target = method == "CONNECT" ? "localhost:80" : "/"
            let connection = try server.connect()
            try connection.send("\(method) \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
            #expect(try isAlive(server))
        }
    }

    @Test(arguments: [
        ("/a", "/a", ""), ("//evil/a?b", "//evil/a", "b"), ("/a?b?c", "/a", "b?c"), ("http://evil/a?b#c", "/a", "b"),
        ("HTTP://evil", "/", ""), ("http://evil?x", "/", "x"), ("*", "*", ""), ("/?", "/", ""),
        ("/a%00%zz", "/a%00%zz", ""),
        ("/a b", "/a b", ""), ("/\u{e9}", "/\u{e9}", ""), ("/../..", "/../..", ""), ("/a:b@c", "/a:b@c", ""),
    ])
    func `strange targets are passed on as they are`(target: String, path: String, query: String) throws {
        try withServer {
            $0.answer("\($0.path)|\($0.query)")
        } _: { server in
            let answer = try server.exchange("OPTIONS \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(answer.hasSuffix("\r\n\r\n\(path)|\(query)"), "\(answer)")
        }
    }

    @Test(arguments: ["a", "?a", "ftp://h/a", "../a"])
    func `a target that is no path is refused`(target: String) throws {
        let handled = Report<String>()
        try withServer {
            handled.add($0.path)
        } _: { server in
            let answer = try server.exchange("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(handled.all.isEmpty)
        }
    }

    @Test func `the limit of the head holds`() throws {
        var limits = HTTP1Server.Limits()
        limits.headers = 1000
        try withServer(limits: limits) {
            $0.answer("ok")
        } _: { server in
            func head(_ size: Int) -> String {
                let start = "GET / HTTP/1.1\r\nConnection: close\r\nX: "
                // evhttp counts lines without their ends.
                return start + String(repeating: "a", count: size - (start.utf8.count - 4)) + "\r\n\r\n"
            }
            #expect(try server.exchange(head(1000)).hasPrefix("HTTP/1.1 200"))
            #expect(try server.exchange(head(1001)).hasPrefix("HTTP/1.1 400"))
            let endless = try server.connect()
            try endless.send(String(repeating: "a", count: 1001))
            #expect(endless.receiveAll().hasPrefix("HTTP/1.1 400"))
            #expect(try isAlive(server) == false)
        }
    }

    @Test func `the limit of the body holds`() throws {
        var limits = HTTP1Server.Limits()
        limits.body = 10_000
        let handled = Report<Int>()
        try withServer(limits: limits) { exchange in
            handled.add(exchange.body.count)
            exchange.answer("ok")
        } _: { server in
            for (size, status) in [(10_000, "200"), (10_001, "413"), (3_000_000, "413")] {
                let body = String(repeating: "a", count: size)
                let plain = try server.exchange(
                    "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n\(body)")
                #expect(plain.hasPrefix("HTTP/1.1 \(status) "), "\(size)")
            }
            let size = String(10_001, radix: 16)
            let chunked = try server.exchange("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n")
            #expect(chunked.hasPrefix("HTTP/1.1 413 "))
            let many = try server.connect()
            try many.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<2 { try many.send("1388\r\n" + String(repeating: "a", count: 5000) + "\r\n") }
            try many.send("1\r\n")
            #expect(many.receiveAll().hasPrefix("HTTP/1.1 413 "))
            #expect(handled.all == [10_000])
        }
    }

    @Test func `the documented limits are the ones in force`() {
        let limits = HTTP1Server.Limits()
        #expect(limits.headers == 16_384)
        #expect(limits.body == 1_048_576)
        #expect(limits.silenceSeconds == 75)
    }

    @Test func `a silent guest is closed`() throws {
        var limits = HTTP1Server.Limits()
        limits.silenceSeconds = 1
        try withServer(limits: limits) {
            $0.answer("ok")
        } _: { server in
            let mute = try server.connect()
            let half = try server.connect()
            try half.send("GET / HTT")
            let idle = try server.connect()
            try idle.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try idle.receiveAnswer().body == "ok")
            #expect(mute.isAtEnd)
            #expect(half.isAtEnd)
            #expect(idle.isAtEnd)
        }
    }

    /// In a process of its own, as the limit of open files is the process's.
    @Test func `no descriptors left pauses accepting and ends when there are some`() async {
        await #expect(processExitsWith: .success) {
            let server = try HTTPFixture { $0.answer("served") }
            let connection = try RawConnection(server.address)
            try connection.send("GET / HTTP/1.0\r\n\r\n")
            guard connection.receiveAll().hasSuffix("served") else { exit(2) }
            let next = socket(AF_INET, streamType, 0)
            let spare = useUpDescriptors()
            guard SystemAddress(server.address)!.withSystemPointer({ connect(next, $0, $1) }) == 0 else { exit(3) }
            // The loop has met the full table when it has gone through two turns after that.
            for _ in 0..<2 { _ = try server.onLoop { _, _ in true } }
            for descriptor in spare { close(descriptor) }
            let text = "GET / HTTP/1.0\r\n\r\n"
            guard send(next, text, text.utf8.count, 0) == text.utf8.count else { exit(4) }
            var answer = [UInt8](repeating: 0, count: 4096)
            var total = 0
            while true {
                let count = recv(next, &answer[total], answer.count - total, 0)
                guard count > 0 else { break }
                total += count
            }
            guard String(decoding: answer[..<total], as: UTF8.self).hasSuffix("served") else { exit(5) }
            server.stop()
        }
    }
}
