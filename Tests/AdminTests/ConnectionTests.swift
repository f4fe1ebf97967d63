import APNs
import Foundation
import Simulation
import TLS
import Testing

@testable import Admin

/// Connections through the admin API.
struct ConnectionTests {
    private let harness = AdminHarness()

    private func connect(_ id: UInt64, _ change: (inout PeerConnection) -> Void = { _ in }) -> ConnectionRecord {
        var facts = PeerConnection(id: id, peer: "127.0.0.1:\(50_000 + id)", listener: "127.0.0.1:2197")
        change(&facts)
        return harness.connections.open(
            PeerConnectionReference(facts), listenerKind: "apns", at: 1_768_469_400_000 + Int64(id))
    }

    @Test func `an open connection is shown whole`() throws {
        let reference = PeerConnectionReference(
            PeerConnection(
                id: 8, peer: "127.0.0.1:50008", listener: "127.0.0.1:2197", serverName: "api.push.apple.com",
                alpn: "h2", tlsVersion: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", environment: .production,
                certificate: PeerCertificate(subject: "CN=com.acme.app", serial: "0A", fingerprint: "ab")))
        let record = connect(8)
        harness.connections.httpBegins(on: record, reference, version: "h2")
        record.store(requests: 3, streamsOpened: 5, openStreams: 2)
        record.store(isPaused: true)
        record.sent(.init(at: 1_768_469_400_500, code: "NO_ERROR", lastStream: 9, debugData: #"{"reason":"Shutdown"}"#))
        let shown = harness.send("/v1/connections/c8")
        #expect(shown.status == 200)
        let expected = """
            {"id":"c8","state":"open","listener":{"kind":"apns","address":"127.0.0.1:2197"},"peer":"127.0.0.1:50008",\
            "environment":"production","openedAt":"2026-01-15T09:30:00.008Z","endedAt":null,"end":null,"protocol":"h2",\
            "tls":{"version":"TLSv1.3","cipher":"TLS_AES_128_GCM_SHA256","serverName":"api.push.apple.com","alpn":"h2",\
            "clientCertificate":{"subject":"CN=com.acme.app","serial":"0A","fingerprint":"ab"}},"requests":3,\
            "streams":{"opened":5,"open":2},"paused":true,"goAways":[{"at":"2026-01-15T09:30:00.500Z","code":"NO_ERROR",\
            "lastStream":9,"debugData":"{\\"reason\\":\\"Shutdown\\"}"}],"failure":null}
            """
        #expect(shown.text == expected)
        #expect(harness.send("/v1/connections/8").text == expected)
    }

    @Test func `those that ended and those that failed say why`() throws {
        let ended = connect(8)
        harness.connections.httpBegins(on: ended, ended.details.facts, version: "h2")
        harness.connections.close(ended, at: 1_768_469_401_000, because: "The client closed the connection.")
        let failed = connect(9)
        failed.breaks(
            .init(cause: "tls", explanation: "The client does not trust the test CA"), failed.details.facts)
        harness.connections.close(failed, at: 1_768_469_402_000, because: "something else")
        let waiting = connect(10)

        let all = harness.send("/v1/connections")
        #expect(all.items.compactMap { $0["id"] as? String } == ["c7", "c8", "c9", "c10"])
        #expect(all.items.compactMap { $0["state"] as? String } == ["open", "ended", "failed", "opening"])
        #expect(all.items[1]["end"] as? String == "The client closed the connection.")
        #expect(all.items[1]["endedAt"] as? String == "2026-01-15T09:30:01.000Z")
        #expect(all.items[1]["tls"] is NSNull)
        #expect(all.items[2]["end"] as? String == "The client does not trust the test CA")
        #expect((all.items[2]["failure"] as? [String: String])?["cause"] == "tls")
        #expect(all.number("matched") == 4)
        #expect(all.number("opened") == 4)
        #expect(waiting.details.state == .opening)

        let some = harness.send("/v1/connections?state=failed,ended&limit=1")
        #expect(some.items.compactMap { $0["id"] as? String } == ["c9"])
        #expect(some.number("matched") == 2)
        #expect(some.number("returned") == 1)
        let text = harness.send("/v1/connections?state=failed", accept: "text/plain").text
        #expect(text == "c9 FAILED apns 127.0.0.1:50009 0 requests (The client does not trust the test CA)\n")
    }

    @Test func `questions that cannot be answered are explained`() {
        let missing = harness.send("/v1/connections/c99")
        #expect(missing.status == 404)
        #expect(missing.text.contains("connection.id"))
        #expect(harness.send("/v1/connections/abc").status == 404)
        let mistyped = harness.send("/v1/connections?state=opn")
        #expect(mistyped.status == 400)
        #expect(mistyped.text.contains("open"))
    }
}
