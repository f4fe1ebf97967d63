import Foundation
import Locking
import Testing

@testable import EventLoop

/// Answers that are given at once.
struct HTTP1ServerTests {
    @Test func `a request is passed on as it came`() throws {
        try withServer { exchange in
            exchange.answer(
                """
                \(exchange.method) \(exchange.path) ? \(exchange.query)
                \(exchange.header("x-tag") ?? "none") \(exchange.header("X-TAG") ?? "none") \(exchange.header("x") ?? "none")
                \(exchange.headers.filter { $0.name == "X-Tag" }.map(\.value))
                """)
        } _: { server in
            let answer = try server.exchange(
                "GET /v1/a%20b/?x=%41&x=b#c HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\nX-Tag: two\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(
                answer.hasSuffix(
                    "\r\n\r\nGET /v1/a%20b/ ? x=%41&x=b\none one none\n[\"one\", \"two\"]"))
            #expect(!answer.lowercased().contains("content-type"))
            #expect(answer.contains("\r\nDate: "))
        }
    }

    @Test func `the peer is named`() throws {
        try withServer { exchange in
            exchange.answer(exchange.peer)
        } _: { server in
            let connection = try server.connect()
            try connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            var own = SystemAddress()
            #expect(own.fill { getsockname(connection.descriptor, $0, $1) } == 0)
            #expect(try connection.receiveAnswer().body == own.address?.description)
        }
        try withServer(.ip(host: "::1", port: 0)) { exchange in
            exchange.answer(exchange.peer)
        } _: { server in
            let answer = try server.exchange("GET / HTTP/1.0\r\n\r\n")
            #expect(answer.contains("\r\n\r\n[::1]:"))
        }
    }

    @Test func `a Unix socket serves too`() throws {
        let directory = try TemporaryDirectory()
        try withServer(.unix(path: directory.path + "/s")) { exchange in
            exchange.answer(exchange.peer)
        } _: { (_: HTTPFixture) throws in
            let answer = try curl("--unix-socket", directory.path + "/s", "http://localhost/")
            #expect(answer == "unix")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/s"))
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func `every method arrives with its body`(method: String) throws {
        try withServer { exchange in
            exchange.answer(exchange.method + ":" + String(decoding: exchange.body, as: UTF8.self))
        } _: { server in
            #expect(
                try curl("--request", method, "--data-binary", "the body", "http://\(server.address)/x")
                    == "\(method):the body")
            let chunked = try server.exchange(
                """
                \(method) / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n\
                4\r\nthe \r\n4\r\nbody\r\n0\r\nX-Trailer: 1\r\n\r\n
                """)
            #expect(chunked.hasSuffix("\r\n\r\n\(method):the body"))
        }
    }

    @Test func `HEAD gets the length and not the body`() throws {
        try withServer {
            $0.answer("twelve bytes")
        } _: { server in
            let connection = try server.connect()
            try connection.send(
                "HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let answers = connection.receiveAll().components(separatedBy: "\r\n\r\n")
            #expect(answers.count == 3)
            #expect(answers[0].contains("Content-Length: 12"))
            #expect(answers[1].hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answers[2] == "twelve bytes")
        }
    }

    @Test(arguments: [204, 304])
    func `an answer that has no body gets none`(status: Int) throws {
        try withServer {
            $0.answer("not this", status: status)
        } _: { server in
            let answer = try server.exchange("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(answer.hasSuffix("\r\n\r\n"))
            #expect(!answer.contains("Content-Length"))
        }
    }

    @Test(arguments: [
        (417, "Expectation Failed"), (422, "Unprocessable Content"), (307, "Temporary Redirect"), (599, ""),
    ])
    func `the phrase fits the status`(status: Int, phrase: String) throws {
        try withServer {
            $0.answer("", status: status)
        } _: { server in
            let answer = try server.exchange("GET / HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.0 \(status) \(phrase)\r\n"))
        }
    }

    @Test func `a connection serves many requests, also sent ahead`() throws {
        try withServer {
            $0.answer($0.path)
        } _: { server in
            let connection = try server.connect()
            for number in 0..<3 {
                try connection.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try connection.receiveAnswer().body == "/\(number)")
            }
            let ahead = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
            try connection.send(ahead)
            for number in 0..<50 { #expect(try connection.receiveAnswer().body == "/\(number)") }
        }
    }

    @Test func `a request may come byte by byte`() throws {
        try withServer {
            $0.answer(String(decoding: $0.body, as: UTF8.self))
        } _: { server in
            let connection = try server.connect()
            for byte in Array("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello".utf8) {
                try connection.send([byte])
            }
            #expect(try connection.receiveAnswer().body == "hello")
        }
    }

    @Test func `HTTP/1.0 is served and closed`() throws {
        try withServer {
            $0.answer("old")
        } _: { server in
            let answer = try server.exchange("GET / HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n"))
            #expect(answer.contains("Content-Length: 3\r\n"))
            #expect(answer.hasSuffix("\r\n\r\nold"))
        }
    }

    @Test func `a guest that has closed its half still gets the answer`() throws {
        try withServer {
            $0.answer("still there")
        } _: { server in
            // The loop meets the request and the end at once.
            let gate = Latch()
            server.thread.mailbox.post { _ in gate.wait() }
            let connection = try server.connect()
            try connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            connection.finishSending()
            gate.open()
            #expect(connection.receiveAll().hasSuffix("still there"))
        }
    }

    @Test func `an expected 100 Continue is sent`() throws {
        try withServer {
            $0.answer(String(decoding: $0.body, as: UTF8.self))
        } _: { server in
            let connection = try server.connect()
            try connection.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try connection.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try connection.send("ok")
            #expect(try connection.receiveAnswer().body == "ok")
        }
    }

    @Test func `nothing is smuggled into the head of an answer`() throws {
        try withServer { exchange in
            exchange.answer(
                "",
                headers: [
                    ("X-Value", "a\r\nX-Evil: 1\r\n\r\nbody\0end"), ("X-Fold", "a\r\n b"),
                    ("X-Bytes", "grüße \u{1F680}"),
                    ("X-Name\r\nX-Evil", "1"), ("X Space", "1"), ("", "1"), ("Content-Length", "99"),
                    ("transfer-encoding", "chunked"), ("X-Last", "1"),
                ])
        } _: { server in
            let answer = try server.exchange("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let lines = answer.components(separatedBy: "\r\n")
            #expect(lines.contains("X-Value: a  X-Evil: 1    body end"))
            #expect(lines.contains("X-Fold: a   b"))
            #expect(lines.contains("X-Bytes: grüße \u{1F680}"))
            #expect(lines.contains("X-Last: 1"))
            #expect(lines.contains("Content-Length: 0"))
            #expect(!lines.contains { $0.hasPrefix("X-Evil") || $0.hasPrefix("X Space") || $0.hasPrefix("X-Name") })
            #expect(!answer.contains("chunked"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `a taken address is named`() throws {
        try withServer {
            $0.answer("")
        } _: { server in
            let loop = try EventLoop()
            #expect {
                _ = try HTTP1Server(server.address, on: loop) { _ in }
            } throws: {
                "\($0)" == "bind \(server.address): Address already in use"
            }
        }
    }

    @Test func `a large answer arrives whole`() throws {
        let size = 8 << 20
        try withServer { exchange in
            exchange.respond(status: 200, headers: [], body: [UInt8](repeating: 0x61, count: size))
        } _: { server in
            let connection = try server.connect()
            try connection.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let body = try connection.receiveAnswer().body
            #expect(body.utf8.count == size)
            #expect(body.utf8.allSatisfy { $0 == 0x61 })
            // And the connection goes on.
            try connection.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(connection.receiveAll().contains("Content-Length: \(size)\r\n"))
        }
    }
}
