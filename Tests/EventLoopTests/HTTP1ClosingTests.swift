import Foundation
import Locking
import Testing

@testable import EventLoop

/// How a server ends.
struct HTTP1ClosingTests {
    private final class Shelf: @unchecked Sendable {
        // Sendable because only the server's loop touches it, in handlers and `onLoop`.
        var exchanges: [HTTP1Exchange] = []
    }

    private let request = "GET /path HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `answers that were given go out before the end`() throws {
        let shelf = Shelf()
        let closed = Report<String>()
        let size = 16 << 20
        try withServer { exchange in
            if exchange.path == "/path" { shelf.exchanges.append(exchange) } else { exchange.answer("idle") }
        } _: { server in
            let idle = try server.connect()
            try idle.send("GET /idle HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try idle.receiveAnswer().body == "idle")
            let open = try server.connect()
            try open.send("GET /open HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try open.receiveAnswer().body == "idle")
            let waiting = try server.connect()
            try waiting.send(request)
            // The server has it when its loop has turned since.
            while try server.onLoop({ _, _ in shelf.exchanges.isEmpty }) {}
            _ = try server.onLoop { _, server in
                server?.close { closed.add("closed") }
                shelf.exchanges[0].respond(status: 200, headers: [], body: [UInt8](repeating: 0x61, count: size))
                #expect(closed.all.isEmpty)
            }
            // Nobody is let in any more, and who is in is told so.
            #expect(throws: (any Error).self) { _ = try server.connect() }
            try open.send(request)
            let refusal = open.receiveAll()
            #expect(refusal.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(refusal.contains("Connection: close"))
            #expect(closed.all.isEmpty)
            #expect(try waiting.receiveAnswer().body.utf8.count == size)
            #expect(try closed.first() == "closed")
            #expect(idle.isAtEnd)
            #expect(waiting.isAtEnd)
            #expect(closed.all == ["closed"])
        }
    }

    @Test func `a server without guests closes soon, and may be closed again`() throws {
        let closed = Report<Int>()
        try withServer {
            $0.answer("")
        } _: { server in
            _ = try server.onLoop { _, server in
                server?.close { closed.add(1) }
                #expect(closed.all.isEmpty)
                server?.close { closed.add(2) }
            }
            _ = try closed.first()
            _ = try server.onLoop { _, server in
                server?.close { closed.add(3) }
                server?.closeNow()
                server?.closeNow()
            }
            _ = try server.onLoop { _, _ in true }
            #expect(closed.all == [1, 2, 3])
        }
    }

    @Test func `closing at once ends unanswered exchanges`() throws {
        let shelf = Shelf()
        let left = Report<String>()
        let closed = Report<String>()
        let arrived = Report<String>()
        try withServer { exchange in
            if exchange.query == "stream" { exchange.startStream(status: 200, headers: []) }
            exchange.onClose = { left.add(exchange.query) }
            shelf.exchanges.append(exchange)
            if shelf.exchanges.count == 2 { arrived.add("") }
        } _: { server in
            let waiting = try server.connect()
            try waiting.send("GET /?wait HTTP/1.1\r\n\r\n")
            let streaming = try server.connect()
            try streaming.send("GET /?stream HTTP/1.1\r\n\r\n")
            _ = try arrived.first()
            _ = try server.onLoop { _, server in
                server?.close { closed.add("closed") }
                server?.closeNow()
            }
            #expect(try closed.first() == "closed")
            #expect(left.all.sorted() == ["stream", "wait"])
            #expect(waiting.isAtEnd)
            #expect(streaming.receiveAll().hasPrefix("HTTP/1.1 200"))
            let areFinished = try server.onLoop { _, _ in
                shelf.exchanges.forEach { $0.answer("too late") }
                return shelf.exchanges.allSatisfy(\.isFinished)
            }
            #expect(areFinished)
        }
    }

    @Test func `a handler may release the server`() throws {
        final class Owner: @unchecked Sendable {
            // Sendable because only the loop's thread touches it.
            var server: HTTP1Server?
        }
        let owner = Owner()
        let address = Lock<SocketAddress?>(nil)
        let thread = try LoopThread(name: "release") { loop in
            owner.server = try HTTP1Server(.ip(host: "127.0.0.1", port: 0), on: loop) { exchange in
                owner.server = nil
                exchange.answer("gone")
            }
            address.withLock { $0 = owner.server?.address }
        }
        let connection = try RawConnection(try #require(address.withLock { $0 }))
        try connection.send(request)
        #expect(connection.isAtEnd)
        thread.mailbox.post { $0.stop() }
        thread.join()
    }

    @Test func `a server is freed with its loop`() throws {
        weak var released: EventLoop?
        do {
            let loop = try EventLoop()
            released = loop
            let server = try HTTP1Server(.ip(host: "127.0.0.1", port: 0), on: loop) { _ in }
            loop.stop()
            loop.run()
            server.close()
        }
        #expect(released == nil)
        do {
            let loop = try EventLoop()
            released = loop
            _ = try HTTP1Server(.ip(host: "127.0.0.1", port: 0), on: loop) { _ in }
        }
        #expect(released == nil)
    }
}
