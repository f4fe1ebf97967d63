import Admin
import Foundation
import Simulation
import Testing

/// The event stream through a socket that nobody reads from.
struct LiveEventTests {
    private let factory = PushFactory()

    @Test func `a guest that does not read gets every entry later, and the number of what it missed`() throws {
        let admin = try LiveAdmin()
        defer { admin.stop() }
        let guest = try RawGuest(port: admin.port)
        guest.send("/v1/events?types=notification,clock", fields: "Accept: application/x-ndjson\r\n")
        _ = guest.readText(until: "hello")
        // Together more than the sockets of both sides hold.
        let (pushes, alert) = (3000, String(repeating: "x", count: 4000))
        _ = admin.journal.commit((0..<pushes).map { factory.push(PushFactory.device($0), alert: alert) })
        let calls = 100
        let tester = try RawGuest(port: admin.port)
        for _ in 0..<calls {
            tester.send(
                "/v1/clock", method: "POST", fields: "Content-Type: application/json\r\n", body: #"{"advance": "1s"}"#)
            #expect(tester.receive().status == 200)
        }
        // Now it reads. What it was not told of by an event it is told of by number.
        var (notifications, clocks, leftOut) = (0, 0, 0)
        guest.readLines { (line) -> Bool in
            let begin = String(decoding: line.prefix(60), as: UTF8.self)
            if begin.hasPrefix(#"{"event":"notification""#) { notifications += 1 }
            if begin.hasPrefix(#"{"event":"clock""#) { clocks += 1 }
            if begin.hasPrefix(#"{"event":"evicted""#) {
                let object = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any]
                leftOut += (object?["leftOut"] as? [String: Int])?["clock"] ?? 0
            }
            // A heartbeat says that nothing more comes.
            if begin.hasPrefix(#"{"event":"heartbeat""#) { return true }
            return notifications == pushes && clocks + leftOut == calls
        }
        #expect(notifications == pushes)
        #expect(leftOut > 0)
        #expect(clocks + leftOut == calls)
        #expect(admin.readers == 1)
    }
}
