import Foundation
import Locking
import Testing

@testable import EventLoop

/// Answers that are given later, guests that leave meanwhile, and answers in pieces.
struct HTTP1DeferredAnswerTests {
    /// Holds exchanges of one loop for later.
    private final class Shelf: @unchecked Sendable {
        // Sendable because only the server's loop touches it, in handlers and `onLoop`.
        var exchanges: [HTTP1Exchange] = []
        var timers: [LoopTimer] = []
    }

    private func request(_ path: String = "/") -> String { "GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n" }

    @Test func `an answer may come later, in any order`() throws {
        let shelf = Shelf()
        try withServer { exchange in
            shelf.exchanges.append(exchange)
            guard shelf.exchanges.count == 3 else { return }
            for exchange in shelf.exchanges.reversed() {
                #expect(!exchange.isFinished)
                exchange.answer(exchange.path)
                #expect(exchange.isFinished)
                exchange.answer("a second answer is ignored")
            }
        } _: { server in
            let connections = try (0..<3).map { _ in try server.connect() }
            for (number, connection) in connections.enumerated() { try connection.send(request("/\(number)")) }
            for (number, connection) in connections.enumerated() {
                #expect(try connection.receiveAnswer().body == "/\(number)")
            }
            // The connections are good for more.
            _ = try server.onLoop { _, _ in shelf.exchanges.removeAll() }
            for connection in connections { try connection.send(request("/again")) }
            for connection in connections { #expect(try connection.receiveAnswer().body == "/again") }
        }
    }

    @Test(arguments: [false, true])
    func `a guest that leaves is reported once`(byReset: Bool) throws {
        let shelf = Shelf()
        let arrived = Report<String>()
        let left = Report<String>()
        try withServer { exchange in
            exchange.onClose = {
                left.add(exchange.path)
                // Nothing of this reaches the request any more.
                exchange.answer("too late")
                exchange.startStream(status: 200, headers: [])
                exchange.send([1])
                exchange.endStream()
            }
            shelf.exchanges.append(exchange)
            arrived.add(exchange.path)
        } _: { server in
            let connection = try server.connect()
            try connection.send(request("/left"))
            _ = try arrived.first()
            if byReset { connection.reset() } else { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
            #expect(try left.first() == "/left")
            let isFinished = try server.onLoop { _, _ in
                let exchange = shelf.exchanges[0]
                exchange.answer("too late")
                return exchange.isFinished && exchange.onClose == nil && exchange.header("host") == "h"
            }
            #expect(isFinished)
            #expect(left.all == ["/left"])
        }
    }

    @Test func `a guest may send ahead while it waits`() throws {
        let shelf = Shelf()
        let arrived = Report<String>()
        try withServer { exchange in
            arrived.add(exchange.path)
            if exchange.path == "/wait" { shelf.exchanges.append(exchange) } else { exchange.answer(exchange.path) }
        } _: { server in
            let connection = try server.connect()
            try connection.send(request("/wait"))
            _ = try arrived.first()
            // More than is read ahead, and a body beyond it.
            let body = String(repeating: "b", count: 100_000)
            try connection.send("POST /next HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + body)
            try connection.send(request("/last"))
            _ = try server.onLoop { _, _ in shelf.exchanges[0].answer("waited") }
            #expect(try connection.receiveAnswer().body == "waited")
            #expect(try connection.receiveAnswer().body == "/next")
            #expect(try connection.receiveAnswer().body == "/last")
        }
    }

    @Test func `what a guest sends ahead is not hoarded`() throws {
        let shelf = Shelf()
        let arrived = Report<String>()
        try withServer { exchange in
            shelf.exchanges.append(exchange)
            arrived.add("")
        } _: { server in
            let connection = try server.connect()
            try connection.send(request())
            _ = try arrived.first()
            let flags = fcntl(connection.descriptor, F_GETFL)
            _ = fcntl(connection.descriptor, F_SETFL, flags | O_NONBLOCK)
            // The system's own buffers fill up, then nothing goes any more: the server has stopped reading.
            let junk = [UInt8](repeating: 0x78, count: 65_536)
            var sent = 0
            var stalls = 0
            while stalls < 3, sent < 256 << 20 {
                let count = Foundation.send(connection.descriptor, junk, junk.count, 0)
                if count > 0 {
                    sent += count
                    stalls = 0
                } else {
                    stalls += 1
                    // The server has had its turns since.
                    for _ in 0..<3 { _ = try server.onLoop { _, _ in true } }
                }
            }
            #expect(stalls == 3, "\(sent) bytes were taken")
            let ahead = try server.onLoop { _, _ in shelf.exchanges[0].bytesAhead }
            #expect(ahead == HTTP1Server.Limits.bytesAhead)
            _ = fcntl(connection.descriptor, F_SETFL, flags)
            _ = try server.onLoop { _, _ in shelf.exchanges[0].answer("waited") }
            #expect(try connection.receiveAnswer().body == "waited")
        }
    }

    @Test func `waiting for an answer is no silence`() throws {
        var limits = HTTP1Server.Limits()
        limits.silenceSeconds = 1
        let shelf = Shelf()
        let fixture = Lock<HTTPFixture?>(nil)
        try withServer(limits: limits) { exchange in
            shelf.exchanges.append(exchange)
            fixture.withLock { $0 }?.thread.mailbox.post { loop in
                let timer = try? loop.after(milliseconds: 1500) { shelf.exchanges[0].answer("at last") }
                if let timer { shelf.timers.append(timer) }
            }
        } _: { server in
            fixture.withLock { $0 = server }
            let connection = try server.connect()
            try connection.send(request())
            #expect(try connection.receiveAnswer().body == "at last")
            fixture.withLock { $0 = nil }
        }
    }

    @Test func `pieces arrive as they are sent`() throws {
        let shelf = Shelf()
        let arrived = Report<String>()
        try withServer { exchange in
            exchange.startStream(status: 200, headers: [("Content-Type", "text/event-stream")])
            exchange.answer("ignored after a stream has begun")
            shelf.exchanges.append(exchange)
            arrived.add("")
        } _: { server in
            let connection = try server.connect()
            try connection.send(request())
            let head = try connection.receive(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("Transfer-Encoding: chunked\r\n"))
            #expect(head.contains("Content-Type: text/event-stream\r\n"))
            for piece in ["data: 1\n\n", "data: 2\n\n"] {
                _ = try server.onLoop { _, _ in
                    shelf.exchanges[0].send([])
                    shelf.exchanges[0].send(Array(piece.utf8))
                    #expect(!shelf.exchanges[0].isFinished)
                }
                #expect(try connection.receive(until: "\n\n\r\n") == "9\r\n\(piece)\r\n")
            }
            _ = try server.onLoop { _, _ in
                shelf.exchanges[0].send([0x21])
                shelf.exchanges[0].endStream()
                shelf.exchanges[0].endStream()
                shelf.exchanges[0].send([0x22])
                #expect(shelf.exchanges[0].isFinished)
            }
            #expect(connection.receiveAll() == "1\r\n!\r\n0\r\n\r\n")
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func `an HTTP/1.0 guest gets plain pieces`(fields: String) throws {
        try withServer { exchange in
            exchange.startStream(status: 200, headers: [])
            exchange.send(Array("one ".utf8))
            exchange.send(Array("two".utf8))
            exchange.endStream()
        } _: { server in
            let answer = try server.exchange("GET / HTTP/1.0\r\n\(fields)\r\n")
            #expect(answer.hasSuffix("\r\n\r\none two"))
            #expect(!answer.contains("Content-Length"))
            #expect(!answer.contains("chunked"))
        }
    }

    @Test func `curl reads a stream, and HEAD gets its head`() throws {
        try withServer { exchange in
            exchange.startStream(status: 200, headers: [("X-Kind", "stream")])
            for number in 0..<5 { exchange.send(Array("\(number)\n".utf8)) }
            exchange.endStream()
        } _: { server in
            #expect(try curl("--no-buffer", "http://\(server.address)/") == "0\n1\n2\n3\n4\n")
            let head = try curl("--head", "http://\(server.address)/")
            #expect(head.contains("X-Kind: stream"))
            #expect(!head.contains("0\n1"))
        }
    }

    @Test func `a slow guest's bytes are counted, and its leaving is seen`() throws {
        let shelf = Shelf()
        let left = Report<String>()
        try withServer { exchange in
            exchange.startStream(status: 200, headers: [])
            exchange.onClose = { left.add("left") }
            shelf.exchanges.append(exchange)
        } _: { server in
            let connection = try server.connect()
            try connection.send(request())
            _ = try connection.receive(until: "\r\n\r\n")
            let before = try server.onLoop { _, _ in shelf.exchanges[0].pendingBytes }
            #expect(before == 0)
            let waiting = try server.onLoop { _, _ in
                for _ in 0..<32 { shelf.exchanges[0].send([UInt8](repeating: 0, count: 1 << 20)) }
                return shelf.exchanges[0].pendingBytes
            }
            #expect(waiting >= 32 << 20)
            connection.reset()
            #expect(try left.first() == "left")
            let after = try server.onLoop { _, _ in shelf.exchanges[0].pendingBytes }
            #expect(after == 0)
            #expect(left.all == ["left"])
        }
    }

    @Test func `a stream goes on when the guest has taken all of it`() throws {
        let drained = Report<Int>()
        let shelf = Shelf()
        let pieces = 40
        try withServer { exchange in
            shelf.exchanges.append(exchange)
            var left = pieces
            exchange.onDrain = { [weak exchange] in
                guard let exchange else { return }
                drained.add(exchange.pendingBytes)
                left -= 1
                if left == 0 { exchange.endStream() } else { exchange.send([UInt8](repeating: 0x61, count: 100_000)) }
            }
            exchange.startStream(status: 200, headers: [])
            exchange.send([0x62])
        } _: { server in
            let connection = try server.connect()
            try connection.send(request())
            let text = connection.receiveAll()
            #expect(text.count { $0 == "a" } >= (pieces - 1) * 100_000)
            #expect(text.hasSuffix("0\r\n\r\n"))
            // Each piece was sent when nothing of the one before was left.
            #expect(drained.all == [Int](repeating: 0, count: pieces))
        }
    }

    @Test func `a guest that leaves while its answer goes out is no trouble`() throws {
        let answered = Report<String>()
        try withServer { exchange in
            exchange.onClose = { Issue.record("an answered exchange has no end to report") }
            exchange.respond(status: 200, headers: [], body: [UInt8](repeating: 0, count: 32 << 20))
            answered.add("")
        } _: { server in
            let connection = try server.connect()
            try connection.send(request())
            _ = try answered.first()
            connection.reset()
            let next = try server.connect()
            try next.send(request())
            #expect(try next.receiveAnswer().body.utf8.count == 32 << 20)
        }
    }
}
