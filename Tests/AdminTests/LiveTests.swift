import Admin
import Dispatch
import EventLoop
import Foundation
import HTTP
import Locking
import Simulation
import Testing

/// The admin API through a socket.
struct LiveTests {
    private let factory = PushFactory()

    /// Runs a test against a server of its own.
    private func withAdmin(
        limits: Journal.Limits = Journal.Limits(), adminToken: String? = nil, _ body: (LiveAdmin) throws -> Void
    ) throws {
        let admin = try LiveAdmin(limits: limits, adminToken: adminToken)
        defer { admin.stop() }
        try body(admin)
    }

    @Test func `a list, an error and a head over one connection`() throws {
        try withAdmin { admin in
            _ = admin.journal.commit([factory.push(PushFactory.device(1))])
            let guest = try RawGuest(port: admin.port)
            guest.send("/v1/notifications")
            let list = guest.receive()
            #expect(list.status == 200)
            #expect(list.items.count == 1)
            #expect(guest.field("mock-apns-cursor", of: list) == "1")
            #expect(guest.field("mock-apns-instance", of: list) == "live")
            guest.send("/v1/notification")
            let error = guest.receive()
            #expect(error.status == 404)
            #expect(guest.field("content-type", of: error) == "application/problem+json")
            guest.send("/v1/notifications", method: "HEAD")
            let head = guest.receive(isHead: true)
            #expect(head.status == 200)
            #expect(guest.field("content-length", of: head) == String(list.body.count))
            #expect(head.body.isEmpty)
        }
    }

    @Test func `calls are told from their begin to their end, and what monitors ask is not`() throws {
        try withAdmin { admin in
            func uses() -> [Bool] {
                // After the turn in which the answer left.
                _ = admin.waiters
                return admin.uses.told.withLock { $0 }
            }
            let guest = try RawGuest(port: admin.port)
            for path in ["/livez", "/readyz", "/metrics"] {
                guest.send(path)
                #expect(guest.receive().status == 200)
            }
            #expect(uses() == [])
            guest.send("/v1/cursor")
            #expect(guest.receive().status == 200)
            guest.send("/v1/nothing")
            #expect(guest.receive().status == 404)
            #expect(uses() == [true, false, true, false])
            guest.send("/v1/notifications?wait=30s")
            admin.awaitWaiters(1)
            #expect(uses() == [true, false, true, false, true])
            _ = admin.journal.commit([factory.push(PushFactory.device(1))])
            #expect(guest.receive().status == 200)
            #expect(uses() == [true, false, true, false, true, false])
            admin.uses.told.withLock { $0 = [] }
            // A guest that reads events uses the server until it leaves.
            do {
                let reader = try RawGuest(port: admin.port)
                reader.send("/v1/events")
                _ = reader.readText(until: "hello")
                #expect(uses() == [true])
            }
            while admin.readers > 0 {}
            #expect(uses() == [true, false])
        }
    }

    @Test func `every method of the table arrives`() throws {
        try withAdmin { admin in
            let guest = try RawGuest(port: admin.port)
            for (method, status) in [
                ("DELETE", 200), ("PUT", 405), ("PATCH", 405), ("OPTIONS", 204), ("POST", 405), ("TRACE", 405),
            ] {
                guest.send("/v1/requests", method: method)
                #expect(guest.receive().status == status, "\(method)")
            }
        }
    }

    @Test func `a wait is answered by a push of another thread`() throws {
        try withAdmin { admin in
            let guest = try RawGuest(port: admin.port)
            guest.send("/v1/notifications?device=\(PushFactory.device(7))&wait=30s")
            admin.awaitWaiters(1)
            _ = admin.journal.commit([factory.push(PushFactory.device(6)), factory.push(PushFactory.device(7))])
            let response = guest.receive()
            #expect(response.status == 200)
            #expect(response.items.first?["seq"] as? Int == 2)
            #expect(admin.waiters == 0)
        }
    }

    @Test func `a guest that leaves frees its waiter`() throws {
        try withAdmin { admin in
            let guest = try RawGuest(port: admin.port)
            guest.send("/v1/notifications?wait=30s")
            admin.awaitWaiters(1)
            guest.finish()
            #expect(guest.isAtEnd())
            #expect(admin.waiters == 0)
            #expect(admin.journal.statistics.followers == 0)
        }
    }

    @Test func `stopping answers every waiter before the loop ends`() throws {
        let admin = try LiveAdmin()
        let guests = try (0..<20).map { _ in try RawGuest(port: admin.port) }
        for guest in guests { guest.send("/v1/notifications?wait=30s") }
        admin.awaitWaiters(guests.count)
        admin.stop()
        for guest in guests {
            let response = guest.receive()
            #expect(response.status == 503)
            #expect(response.object["type"] as? String == "urn:mock-apns:stopping")
            #expect(guest.isAtEnd())
        }
    }

    @Test func `curl reads events as they happen, and its leaving frees its place`() throws {
        try withAdmin { admin in
            let guest = try RawGuest(port: admin.port)
            guest.send("/v1/events?after=0", fields: "Accept: application/x-ndjson\r\n")
            #expect(guest.readText(until: #""event":"hello""#).contains("Transfer-Encoding: chunked"))
            for number in 1...3 {
                _ = admin.journal.commit([factory.push(PushFactory.device(number))])
                #expect(guest.readText(until: "}\n").contains(PushFactory.device(number)))
            }
            #expect(admin.readers == 1)
            guest.finish()
            while admin.readers > 0 {}
            #expect(admin.journal.statistics.followers == 0)
        }
    }

    @Test func `a guest that does not read holds little memory, and is told what it missed`() throws {
        try withAdmin(limits: Journal.Limits(entries: 1000)) { admin in
            let guest = try RawGuest(port: admin.port)
            guest.send("/v1/events?after=0")
            _ = guest.readText(until: "event: hello")
            let total = 40_000
            for number in stride(from: 0, to: total, by: 100) {
                _ = admin.journal.commit((number..<number + 100).map { factory.push(PushFactory.device($0)) })
            }
            // The socket's buffers hold some thousand events; what was evicted meanwhile is told, then the rest follows.
            let text = guest.readText(until: "id: \(total)\n")
            #expect(text.contains("event: evicted\n"))
            let ids = text.components(separatedBy: "\nid: ").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
            #expect(ids == ids.sorted())
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test func `stopping ends streams`() throws {
        let admin = try LiveAdmin()
        let guest = try RawGuest(port: admin.port)
        guest.send("/v1/events")
        _ = guest.readText(until: "event: hello")
        admin.stop()
        #expect(guest.readText(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
        #expect(guest.isAtEnd())
    }

    @Test func `a foreign page changes nothing`() throws {
        try withAdmin { admin in
            _ = admin.journal.commit([factory.push(PushFactory.device(1))])
            let guest = try RawGuest(port: admin.port)
            guest.send("/v1/reset", method: "POST", fields: "Origin: https://evil.example\r\n")
            #expect(guest.receive().status == 403)
            let rebound = try RawGuest(port: admin.port)
            rebound.write("DELETE /v1/requests HTTP/1.1\r\nHost: evil.example:2198\r\n\r\n")
            #expect(rebound.receive().status == 403)
            #expect(admin.journal.statistics.entries == 1)
        }
    }

    @Test func `a body above the limit is 413`() throws {
        try withAdmin { admin in
            let guest = try RawGuest(port: admin.port)
            guest.send(
                "/v1/reset", method: "POST", fields: "Content-Type: application/json\r\n",
                body: String(repeating: " ", count: AdminLimits.bodyBytes + 1))
            #expect(guest.receive().status == 413)
        }
    }

    @Test func `two hundred waits for a device each, while twenty thousand pushes arrive`() throws {
        try withAdmin(limits: Journal.Limits(entries: 20_000)) { admin in
            let waits = 200
            let guests = try (0..<waits).map { _ in try RawGuest(port: admin.port) }
            for (number, guest) in guests.enumerated() {
                guest.send("/v1/notifications?device=\(PushFactory.device(number))&after=0&count=1&wait=60s")
            }
            // Half of them wait before the first push, the others come while pushes arrive.
            admin.awaitWaiters(waits / 2)
            let pushes = 20_000
            let sent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                var random = SplitMix(state: 20_000)
                var number = 0
                while number < pushes {
                    let batch = Int.random(in: 1...64, using: &random)
                    // Every hundredth push is for somebody who waits.
                    let entries = (number..<min(number + batch, pushes)).map { index in
                        factory.push(PushFactory.device(index % 100 == 99 ? index / 100 : 1_000_000 + index))
                    }
                    _ = admin.journal.commit(entries)
                    number += batch
                }
                sent.signal()
            }
            for (number, guest) in guests.enumerated() {
                let response = guest.receive()
                try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
                #expect(response.items.map { $0["device"] as? String } == [PushFactory.device(number)])
                #expect(response.items.first?["seq"] as? Int == number * 100 + 100)
            }
            sent.wait()
            #expect(admin.journal.cursor == UInt64(pushes))
            #expect(admin.waiters == 0)
            #expect(admin.journal.statistics.followers == 0)
        }
    }

    @Test func `readers that follow by cursor see every push once, in order`() throws {
        try withAdmin { admin in
            let writers = 3
            let each = 1500
            let done = DispatchGroup()
            for writer in 0..<writers {
                Thread.detachNewThread(in: done) {
                    var random = SplitMix(state: UInt64(writer))
                    var left = each
                    while left > 0 {
                        let batch = min(left, Int.random(in: 1...20, using: &random))
                        _ = admin.journal.commit(
                            (0..<batch).map { _ in
                                factory.push(PushFactory.device(Int.random(in: 0..<3, using: &random)))
                            })
                        left -= batch
                    }
                }
            }
            let seen = Lock<[Int: [Int]]>([:])
            for device in 0..<3 {
                Thread.detachNewThread(in: done) {
                    let numbers = follow(device, admin, until: writers * each)
                    seen.withLock { $0[device] = numbers }
                }
            }
            done.wait()
            let numbers = seen.withLock { $0 }
            for device in 0..<3 {
                let expected = admin.journal.snapshot().entries.filter { entry in
                    entry.content.device.map { entry.content.request.text(in: $0) } == PushFactory.device(device)
                }
                #expect(numbers[device] == expected.map { Int($0.seq) })
            }
        }
    }

    /// Waits again and again, each time from the cursor of the last answer, until the journal has reached its end.
    private func follow(_ device: Int, _ admin: LiveAdmin, until end: Int) -> [Int] {
        guard let guest = try? RawGuest(port: admin.port) else { return [] }
        var random = SplitMix(state: UInt64(device) &+ 99)
        var cursor = 0
        var numbers: [Int] = []
        while cursor < end {
            let count = Int.random(in: 1...5, using: &random)
            guest.send(
                "/v1/notifications?device=\(PushFactory.device(device))&after=\(cursor)&count=\(count)&wait=100ms"
                    + "&onTimeout=ok&limit=1000&fields=seq")
            let response = guest.receive()
            guard response.status == 200 else { return numbers }
            numbers += response.items.compactMap { $0["seq"] as? Int }
            cursor = response.object["cursor"] as? Int ?? end
        }
        return numbers
    }
}

extension Thread {
    /// Runs `body` on a new thread that belongs to a group.
    static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}
