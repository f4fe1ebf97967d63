import EventLoop
import Foundation
import HTTP2
import Locking
import Server
import Simulation
import TestSupport
import Testing

/// Waits over the wire while pushes arrive over the wire. How quick they are is measured by `Benchmarks/wait_latency.py`.
struct WaitRaceTests {
    private let payload = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

    /// No number is the token of zeros, which is nobody's.
    private static func device(_ number: Int) -> String {
        let digits = String(number + 1, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    private func ask(_ server: TestServer, _ target: String, method: String = "GET", _ body: String = "") throws -> (
        status: Int, object: [String: Any]
    ) {
        let address = try #require(server.server.adminAddress)
        let response = try HTTP1Client.send(
            method: method, host: address.host ?? "127.0.0.1", port: address.port ?? 0, target: target,
            headers: body.isEmpty ? [] : [("content-type", "application/json")], body: Array(body.utf8),
            timeoutMilliseconds: 120_000)
        let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return (response.status, object ?? [:])
    }

    /// Returns when so many calls wait.
    private func awaitWaiters(_ count: Int, _ server: TestServer) throws {
        while try (ask(server, "/v1/info").object["journal"] as? [String: Any])?["waiters"] as? Int != count {}
    }

    private func withAdmin(_ body: (TestServer) throws -> Void) throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
            $0.threads = 2
            // A wait that is late finds what it waits for, however many pushes came before it.
            $0.journal.entries = 50_000
        } _: { server in
            try body(server)
        }
    }

    @Test func `two hundred waits, twenty thousand pushes: each returns its own match`() throws {
        try withAdmin { server in
            let waits = 200
            // Every second of these, at the least, is for nobody who waits. A sanitizer makes each push several times as long.
            let pushes = ProcessInfo.processInfo.environment["MOCK_APNS_SANITIZED"] == nil ? 20_000 : 4_000
            let share = pushes / 2 / waits
            let done = DispatchGroup()
            let answers = Lock<[Int: (status: Int, devices: [String?])]>([:])
            for number in 0..<waits {
                Thread.detachNewThread(in: done) {
                    let target = "/v1/notifications?device=\(Self.device(number))&after=0&wait=60s"
                    guard let answer = try? ask(server, target) else { return }
                    let items = answer.object["items"] as? [[String: Any]] ?? []
                    answers.withLock { $0[number] = (answer.status, items.map { $0["device"] as? String }) }
                }
            }
            // Four senders share the pushes; every so many of the first half is for somebody who waits.
            let failures = Lock(0)
            for sender in 0..<4 {
                Thread.detachNewThread(in: done) {
                    do {
                        let client = try server.client()
                        for batch in stride(from: sender * 100, to: pushes, by: 400) {
                            var streams: [Int32] = []
                            for number in batch..<batch + 100 {
                                let device = Self.device(number % share == 0 ? number / share : 1_000_000 + number)
                                streams.append(
                                    try client.http2.submit(
                                        server.fields([":path": "/3/device/\(device)"]), body: payload))
                            }
                            try client.flush()
                            for stream in streams where try client.response(to: stream).status != 200 {
                                failures.withLock { $0 += 1 }
                            }
                        }
                    } catch {
                        failures.withLock { $0 += 1 }
                    }
                }
            }
            done.wait()
            #expect(failures.withLock { $0 } == 0)
            #expect(server.simulator.journal.cursor == UInt64(pushes))
            let seen = answers.withLock { $0 }
            #expect(seen.count == waits)
            for (number, answer) in seen {
                #expect(answer.status == 200)
                #expect(answer.devices == [Self.device(number)])
            }
        }
    }

    /// The quiet that is asked for is far longer than the test, so only the second push can have ended the call.
    @Test(arguments: ["exactly=1&settle=50s&wait=60s", "exactly=0&wait=60s"])
    func `one push too many ends a wait, not its time`(query: String) throws {
        try withAdmin { server in
            let client = try server.client()
            if query.hasPrefix("exactly=1") {
                #expect(try client.request(server.fields(), body: payload).status == 200)
            }
            let done = DispatchGroup()
            let answer = Lock<(status: Int, title: String?, waited: Int?)?>(nil)
            Thread.detachNewThread(in: done) {
                guard let response = try? ask(server, "/v1/notifications?device=\(server.device)&\(query)") else {
                    return
                }
                answer.withLock {
                    $0 = (response.status, response.object["title"] as? String, response.object["waitedMs"] as? Int)
                }
            }
            try awaitWaiters(1, server)
            #expect(try client.request(server.fields(), body: payload).status == 200)
            done.wait()
            let seen = try #require(answer.withLock { $0 })
            #expect(seen.status == 417)
            #expect(seen.title?.contains("arrived where") == true)
            #expect(try #require(seen.waited) < 50_000)
        }
    }

    @Test func `a verification ends with the push that it forbids`() throws {
        try withAdmin { server in
            let client = try server.client()
            let done = DispatchGroup()
            let answer = Lock<(status: Int, title: String?)?>(nil)
            Thread.detachNewThread(in: done) {
                let body = """
                    {"wait": "60s", "settle": "50s", "noOthers": true, "expect": \
                    [{"match": {"device": "\(server.device)"}, "exactly": 1}]}
                    """
                guard let response = try? ask(server, "/v1/verify", method: "POST", body) else { return }
                answer.withLock { $0 = (response.status, response.object["title"] as? String) }
            }
            try awaitWaiters(1, server)
            #expect(try client.request(server.fields(), body: payload).status == 200)
            let other = server.fields([":path": "/3/device/\(Self.device(7))"])
            #expect(try client.request(other, body: payload).status == 200)
            done.wait()
            #expect(answer.withLock { $0?.status } == 417)
            #expect(answer.withLock { $0?.title } == "1 unexpected push")
        }
    }
}

extension Thread {
    /// Runs `body` on a new thread that belongs to a group.
    fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}
