import Foundation
import HTTP
import JSON
import Simulation
import TestFixtures
import Testing

@testable import Admin

struct PreviewVectorTests {
    /// 2026-01-15T09:30:00Z in milliseconds.
    private static let start: Int64 = 1_768_469_400_000

    private let harness = AdminHarness()

    init() {
        harness.simulator.clock.freeze(at: Self.start)
        var acme = AppFacts(bundleID: "com.acme.app")
        acme.name = "Acme"
        acme.texts = ["SHIPPED": "Order %@ shipped", "ETA": "%2$@ in %1$d min"]
        harness.simulator.apps.replace(with: [acme])
    }

    @Test(arguments: try InboxVector.load("previews.json"))
    func `a phone shows what a push says`(_ vector: InboxVector) throws {
        let row = try #require(try JSONSerialization.jsonObject(with: vector.json) as? [String: Any])
        _ = harness.send("/v1/devices", method: "POST", json: #"{"token":"\#(AdminHarness.device)"}"#)
        let steps = DeviceSteps(harness: harness)
        for step in row["steps"] as? [[String: Any]] ?? [] { try steps.perform(step) }
        let number = row["through"] as? Int ?? Int(harness.journal.cursor)
        let response = harness.send("/v1/requests/\(number)/preview")
        #expect(response.status == 200)
        let expected = try #require(row["preview"] as? [String: Any])
        for difference in DeviceSteps.differences(expected, response.object, at: "preview") {
            Issue.record("\(difference)")
        }
        let text = harness.send("/v1/requests/\(number)/preview", accept: "text/plain").text
        #expect(text.hasSuffix("\n") && !text.contains("\n\n"), "\(text)")
    }

    @Test func `every kind has a row`() throws {
        var kinds: Set<String> = []
        for vector in try InboxVector.load("previews.json") {
            let row = try JSONSerialization.jsonObject(with: vector.json) as? [String: Any]
            if let kind = (row?["preview"] as? [String: Any])?["kind"] as? String { kinds.insert(kind) }
        }
        // A connection that breaks is no push; the test below has it.
        #expect(kinds == Set(Preview.Kind.allCases.map(\.rawValue)).subtracting(["request"]))
    }

    @Test func `a connection that broke shows nothing`() {
        let entry = harness.breakConnection()
        let preview = harness.send("/v1/requests/\(entry.seq)/preview").object
        #expect(preview["kind"] as? String == "request")
        #expect(preview["reachesDevice"] as? Bool == false)
    }

    @Test func `a payload that is no JSON shows nothing`() {
        let entry = harness.push(payload: "{")
        let preview = harness.send("/v1/requests/\(entry.seq)/preview").object
        #expect(preview["kind"] as? String == "nothing")
        #expect(preview["fate"] as? String == "the device cannot read the payload")
    }

    @Test func `a person reads it in lines`() {
        harness.request(
            "POST", "/3/device/\(AdminHarness.device)", [(.apnsTopic, "com.acme.app"), (.apnsPriority, "5")],
            #"{"aps":{"alert":{"title":"Shipped","body":"Order 42"},"badge":1,"thread-id":"t","mutable-content":1}}"#)
        #expect(
            harness.send("/v1/requests/1/preview", accept: "text/plain").text == """
                Acme  com.acme.app
                  Shipped
                  Order 42
                badge 1, no sound, thread t
                [extension may rewrite this]
                Shown on the lock screen, which lights up.

                """)
    }

    @Test func `the texts of an app stay known while it names the same file`() {
        var app = AppFacts(bundleID: "com.acme.app")
        app.strings = "en.strings"
        app.texts = ["A": "B"]
        harness.simulator.apps.replace(with: [app])
        app.texts = [:]
        harness.simulator.apps.replace(with: [app])
        #expect(harness.simulator.apps.all.first?.texts == ["A": "B"])
        app.strings = "de.strings"
        harness.simulator.apps.replace(with: [app])
        #expect(harness.simulator.apps.all.first?.texts.isEmpty == true)
    }
}
