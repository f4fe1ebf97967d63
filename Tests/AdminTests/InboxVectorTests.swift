import Foundation
import HTTP
import Simulation
import TestFixtures
import Testing

@testable import Admin

/// What happens to a device, and what it then shows; one row of inboxes.json.
struct InboxVector: Sendable, CustomTestStringConvertible {
    /// The row as JSON.
    let json: Data
    let testDescription: String

    static func load(_ file: String = "inboxes.json") throws -> [InboxVector] {
        // Without the comments at the beginning, which this reader does not know.
        let bytes = try Vectors.bytes(file)
        let lines = bytes.split(separator: UInt8(ascii: "\n")).drop { $0.starts(with: "//".utf8) }
        let rows = try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n".utf8)))
        return try (rows as? [[String: Any]] ?? []).map {
            InboxVector(
                json: try JSONSerialization.data(withJSONObject: $0), testDescription: $0["name"] as? String ?? "")
        }
    }
}

struct InboxVectorTests {
    /// 2026-01-15T09:30:00Z in milliseconds.
    private static let start: Int64 = 1_768_469_400_000

    private let harness = AdminHarness()
    private let path = "/v1/devices/\(AdminHarness.device)"
    private var steps: DeviceSteps { DeviceSteps(harness: harness) }

    init() {
        harness.simulator.clock.freeze(at: Self.start)
    }

    @Test(arguments: try InboxVector.load())
    func `a device shows what its pushes say`(_ vector: InboxVector) throws {
        let row = try #require(try JSONSerialization.jsonObject(with: vector.json) as? [String: Any])
        if row["registered"] as? Bool != false {
            _ = harness.send("/v1/devices", method: "POST", json: #"{"token":"\#(AdminHarness.device)"}"#)
        }
        for step in row["steps"] as? [[String: Any]] ?? [] { try steps.perform(step) }
        let response = harness.send(path + "/inbox" + (row["query"] as? String ?? ""))
        #expect(response.status == 200)
        let expected = try #require(row["inbox"] as? [String: Any])
        for difference in DeviceSteps.differences(expected, response.object, at: "inbox") {
            Issue.record("\(difference)")
        }
    }

    // MARK: What no row can say

    private func inbox(_ token: String = AdminHarness.device) -> AdminResponse {
        harness.send("/v1/devices/\(token)/inbox")
    }

    @Test func `a payload that is no JSON is not read, and other devices' pushes are not looked at`() {
        harness.push(payload: "not JSON")
        harness.push(String(repeating: "ab", count: 32))
        harness.push(AdminHarness.device + "ff")
        let dropped = inbox().object["dropped"] as? [[String: Any]] ?? []
        #expect(dropped.map { $0["why"] as? String } == ["the device cannot read the payload"])
        #expect(inbox().object["registered"] as? Bool == false)
    }

    @Test func `a text that is no token is 404`() {
        #expect(inbox("abc").status == 404)
        #expect(inbox("abc").string("detail").contains("3 digits"))
    }

    @Test func `an inbox says when the journal has forgotten, until a reset`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2, bytes: 1 << 20))
        func isTruncated() -> Bool? {
            harness.send(path + "/inbox").object["truncated"] as? Bool
        }
        for _ in 0..<2 { harness.push() }
        #expect(isTruncated() == false)
        harness.push()
        #expect(isTruncated() == true)
        #expect(harness.send(path + "/inbox", accept: "text/plain").text.hasSuffix("not held any more\n"))
        _ = harness.send("/v1/reset", method: "POST")
        #expect(isTruncated() == false)
    }

    @Test func `a list is cut at its newest`() throws {
        for _ in 0...Inbox.listLimit { harness.push(payload: #"{"aps":{"alert":"x"}}"#) }
        let center = try #require(inbox().object["center"] as? [[String: Any]])
        let items = try #require(center.first?["items"] as? [[String: Any]])
        #expect(items.count == Inbox.listLimit)
        #expect(items.last?["id"] as? String == "n_test_2")
        #expect(inbox().object["truncated"] as? Bool == true)
    }

    @Test func `a person reads it in lines`() {
        _ = harness.send("/v1/devices", method: "POST", json: #"{"token":"\#(AdminHarness.device)"}"#)
        let fields: [(HeaderName, String)] = [(.apnsTopic, "com.acme.app")]
        _ = harness.request(
            "POST", "/3/device/\(AdminHarness.device)", fields,
            #"{"aps":{"alert":{"title":"Shipped","body":"Order\n42"},"badge":3,"thread-id":"order-42"}}"#)
        _ = harness.request("POST", "/3/device/\(AdminHarness.device)", fields, #"{"aps":{"content-available":1}}"#)
        let text = harness.send(path + "/inbox", accept: "text/plain").text
        #expect(
            text == """
                \(AdminHarness.device)  active
                badge 3
                com.acme.app  thread order-42
                  n_test_1  Shipped - Order 42
                1 silent wake-ups

                """)
    }
}
