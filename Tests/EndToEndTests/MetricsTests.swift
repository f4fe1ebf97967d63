import EventLoop
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// The counters of connections and answers, as `/metrics` shows them.
struct MetricsTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func samples(_ server: TestServer) throws -> [String] {
        let address = try #require(server.server.adminAddress)
        let response = try HTTP1Client.send(
            method: "GET", host: address.host ?? "", port: address.port ?? 0, target: "/metrics", headers: [], body: [],
            timeoutMilliseconds: 30_000)
        return String(decoding: response.body, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    @Test func `connections of all listeners, answers and GOAWAYs are counted`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            #expect(try server.client().request(server.fields(), payload).status == 200)
            #expect(try server.clearTextClient().request(server.fields(), payload).status == 200)
            #expect(try server.http1Client().request(server.fields(), payload).status == 200)
            try server.addRule(#"{"then": {"fault": "goaway", "lastStream": "all"}}"#)
            let client = try server.client()
            #expect(try client.request(server.fields(), payload).status == 200)
            _ = try client.goAway()
            // Answers are counted at the end of their turn; one more on the same loop shows that it is over.
            try client.waitForEnd()
            #expect(try server.http1Client().request(server.fields(), payload).status == 200)
            let samples = try samples(server)
            for sample in [
                #"mock_apns_connections_total{tls="TLSv1.3"} 2"#, #"mock_apns_connections_total{tls="none"} 3"#,
                "mock_apns_goaway_sent_total 1", #"mock_apns_rule_hits_total{rule="rule-1"} 2"#,
            ] {
                #expect(samples.contains(sample), "\(sample) in \(samples)")
            }
            let answered = samples.first { $0.hasPrefix("mock_apns_request_seconds_count ") }?.split(separator: " ")
                .last
            #expect(try #require(answered.flatMap { Int($0) }) >= 4)
        }
    }
}
