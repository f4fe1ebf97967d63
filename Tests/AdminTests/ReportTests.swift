import APNs
import Foundation
import HTTP
import Locking
import Simulation
import Testing

@testable import Admin

/// The report about the sender, the export, the counters and the page of the reference.
struct ReportTests {
    private let harness = AdminHarness()

    private func refuse() {
        harness.push(
            failure: CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: "a", actual: "b",
                explanation: "The token is <registered> & \"known\"."))
    }

    private func isXML(_ text: String) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", "import sys, xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())",
        ]
        let input = Pipe()
        process.standardInput = input
        guard (try? process.run()) != nil else { return false }
        input.fileHandleForWriting.write(Data(text.utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func `the report has totals, findings of requests and of conduct, and examples`() throws {
        for _ in 1...5 { refuse() }
        harness.request(
            "POST", "/3/device/" + AdminHarness.device, [(.apnsTopic, "com.acme.app")],
            #"{"aps":{"alert":"x","bagde":1}}"#)
        harness.breakConnection()
        let response = harness.send("/v1/report")
        let totals = response.object["totals"] as? [String: Int]
        #expect(totals == ["accepted": 1, "rejected": 5, "faulted": 0, "broken": 1])
        let findings = try #require(response.object["findings"] as? [[String: Any]])
        let codes = findings.compactMap { $0["code"] as? String }
        #expect(codes.first == "L004")
        #expect(codes.contains("L014"))
        #expect(findings[0]["count"] as? Int == 4)
        #expect((findings[0]["examples"] as? [[String: Any]])?.compactMap { $0["seq"] as? Int } == [2, 3, 4])
        #expect((response.object["connections"] as? [String: Int])?["handshakesFailed"] == 1)
        let later = harness.send("/v1/report?after=5")
        #expect((later.object["findings"] as? [[String: Any]])?.contains { $0["code"] as? String == "L004" } == false)
        #expect((harness.send("/v1/report?outcome=accepted").object["totals"] as? [String: Int])?["rejected"] == 0)
    }

    @Test func `the report for people and for continuous integration`() {
        for _ in 1...2 { refuse() }
        let markdown = harness.send("/v1/report?format=md")
        #expect(markdown.header("content-type") == "text/markdown; charset=utf-8")
        #expect(markdown.text.contains("* **L004** (error, once): expected no second try"))
        #expect(harness.send("/v1/report", accept: "text/plain").text == markdown.text)
        let junit = harness.send("/v1/report?format=junit")
        #expect(junit.header("content-type") == "application/xml")
        #expect(isXML(junit.text))
        #expect(junit.text.contains(#"failures="1""#))
        #expect(harness.send("/v1/report?format=mdd").string("hint") == #"Did you mean "md"?"#)
    }

    @Test func `the export has every entry on a line, or as a case`() throws {
        harness.push()
        refuse()
        harness.breakConnection(explanation: "alert \u{1} bad")
        let lines = harness.send("/v1/export").text.split(separator: "\n")
        #expect(lines.count == 3)
        for (line, seq) in zip(lines, 1...) {
            let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(entry?["seq"] as? Int == seq)
        }
        #expect(harness.send("/v1/export?outcome=rejected&after=1").text.split(separator: "\n").count == 1)
        let junit = harness.send("/v1/export?format=junit").text
        #expect(isXML(junit))
        #expect(junit.contains(#"tests="3" failures="1" errors="1""#))
        #expect(junit.contains("The token is &lt;registered&gt; &amp; &quot;known&quot;."))
        #expect(isXML(AdminHarness().send("/v1/export?format=junit").text))
    }

    // MARK: - Counters

    /// Name with labels, and value, of each sample.
    private func samples(_ harness: AdminHarness) -> [String: Double] {
        var samples: [String: Double] = [:]
        for line in harness.send("/metrics").text.split(separator: "\n") where !line.hasPrefix("#") {
            let place = line.lastIndex(of: " ")!
            samples[String(line[..<place])] = Double(line[line.index(after: place)...])
        }
        return samples
    }

    @Test func `counters count answers, findings and broken connections, and survive eviction`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 3))
        harness.server.value.withLock { $0.info.version = #"1.0 "beta""# }
        for _ in 1...5 { harness.push() }
        harness.push(
            failure: CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: "a", actual: "b", explanation: "Not for this topic."))
        harness.breakConnection()
        harness.request(
            "POST", "/3/device/" + AdminHarness.device, [(.apnsTopic, "com.acme.app")],
            #"{"aps":{"alert":"x","bagde":1}}"#)
        let samples = samples(harness)
        let accepted = #"mock_apns_requests_total{outcome="accepted",status="200",reason="",push_type="alert"}"#
        #expect(samples[accepted] == 6)
        #expect(
            samples[
                #"mock_apns_requests_total{outcome="rejected",status="400",reason="DeviceTokenNotForTopic",push_type="alert"}"#
            ]
                == 1)
        #expect(samples[#"mock_apns_handshake_failures_total{cause="tls"}"#] == 1)
        #expect(samples[#"mock_apns_findings_total{code="L014"}"#] == 1)
        #expect(samples["mock_apns_journal_entries"] == 3)
        #expect(samples["mock_apns_journal_evicted_total"] == 5)
        #expect(samples[#"mock_apns_build_info{version="1.0 \"beta\""}"#] == 1)
    }

    @Test func `counters are those of all namespaces, ended ones too, and rules count their hits`() throws {
        harness.push()
        let suite = try harness.worlds.add(NamespaceOrder("suite"), now: 0)
        harness.push(in: suite)
        #expect(samples(harness)["mock_apns_journal_entries"] == 2)
        #expect(harness.worlds.remove("suite") != nil)
        _ = harness.send("/v1/fail-next", method: "POST", json: #"{"reason":"Shutdown"}"#)
        let samples = samples(harness)
        let accepted = #"mock_apns_requests_total{outcome="accepted",status="200",reason="",push_type="alert"}"#
        #expect(samples[accepted] == 2)
        #expect(samples["mock_apns_journal_entries"] == 1)
        #expect(samples[#"mock_apns_rule_hits_total{rule="fail-next-1"}"#] == 0)
    }

    @Test func `every family has help and type, and every sample a family`() {
        harness.push()
        let lines = harness.send("/metrics").text.split(separator: "\n")
        let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        let helps = lines.filter { $0.hasPrefix("# HELP ") }.map { $0.split(separator: " ")[2] }
        #expect(types == helps)
        #expect(Set(types).count == types.count)
        for name in [
            "requests_total", "connections_open", "connections_total", "handshake_failures_total", "streams_open",
            "request_seconds", "goaway_sent_total", "rule_hits_total", "journal_entries", "journal_bytes",
            "journal_evicted_total",
            "waiters", "event_clients", "findings_total", "diagnostics_dropped_total",
            "build_info",
        ] {
            #expect(types.contains("mock_apns_\(name)"), "\(name)")
        }
        for line in lines where !line.hasPrefix("#") {
            let name = line.prefix { $0 != "{" && $0 != " " }
            #expect(types.contains { name == $0 || name.hasPrefix($0 + "_") }, "\(line)")
        }
    }

    @Test func `the histogram adds up, in seconds`() {
        var traffic = AdminTraffic()
        traffic.times.counts[0] = 2
        traffic.times.counts[3] = 1
        traffic.times.counts[AdminTraffic.Times.bounds.count] = 1
        traffic.times.sumMilliseconds = 12_345
        let call = AdminCall(
            request: AdminRequest(method: "GET", path: "/metrics"),
            query: (try? Query("", of: DocumentResource.routes[0]))!, captures: [:], preference: .json,
            worlds: harness.worlds, namespace: harness.worlds.main, environment: environment(traffic), waiters: 4,
            readers: 5)
        let text = MetricsPage(call).text
        for line in [
            #"mock_apns_request_seconds_bucket{le="0.001"} 2"#, #"mock_apns_request_seconds_bucket{le="0.01"} 3"#,
            #"mock_apns_request_seconds_bucket{le="10"} 3"#, #"mock_apns_request_seconds_bucket{le="+Inf"} 4"#,
            "mock_apns_request_seconds_sum 12.345", "mock_apns_request_seconds_count 4", "mock_apns_waiters 4",
            "mock_apns_event_clients 5",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    private func environment(_ traffic: AdminTraffic) -> AdminEnvironment {
        var environment = AdminEnvironment(info: { .init() }, waitingFor: { [] }, shutdown: {})
        environment.traffic = { traffic }
        return environment
    }

    // MARK: - The reference

    @Test func `the page of the reference has every route`() {
        let page = harness.send("/docs", accept: "text/html")
        #expect(page.header("content-type") == "text/html; charset=utf-8")
        #expect(page.header("content-security-policy")?.hasPrefix("default-src 'none'") == true)
        for route in AdminApplication.table.routes {
            #expect(page.text.contains("<code>\(route.method.rawValue) \(route.pattern)</code>"), "\(route.pattern)")
        }
        #expect(!page.text.contains("```"))
        #expect(!page.text.contains("| ---"))
        #expect(page.text.contains("<a href=\"#filters\">filters</a>"))
        #expect(harness.send("/docs").header("content-type") == "text/markdown; charset=utf-8")
    }
}
