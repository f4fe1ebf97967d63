import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// The steps of vectors about devices: pushes, changes of state, time that goes by.
struct DeviceSteps {
    let harness: AdminHarness

    func perform(_ step: [String: Any]) throws {
        if let payload = step["push"] {
            let body = String(
                decoding: try JSONSerialization.data(withJSONObject: payload, options: .sortedKeys), as: UTF8.self)
            var fields: [String: String] = ["apns-topic": "com.acme.app", "apns-push-type": "alert"]
            fields.merge(step["with"] as? [String: String] ?? [:]) { $1 }
            let known = fields.compactMap { field in
                HeaderName.allCases.first { $0.spelling.description == field.key }.map { ($0, field.value) }
            }
            try #require(known.count == fields.count)
            let device = step["upperCase"] == nil ? AdminHarness.device : AdminHarness.device.uppercased()
            let decision = harness.request("POST", "/3/device/" + device, known, body)
            let status = step["status"] as? Int ?? 200
            try #require(Int(decision.response.status) == status, "\(decision.entry.content.failures)")
        } else if let state = step["state"] as? String {
            let response = harness.send(
                "/v1/devices/\(AdminHarness.device)", method: "PATCH", json: #"{"state":"\#(state)"}"#)
            try #require(response.status == 200)
        } else {
            let time = try #require(step["advance"] as? String)
            try #require(harness.send("/v1/clock", method: "POST", json: #"{"advance":"\#(time)"}"#).status == 200)
        }
    }

    /// Where the answer is not what was expected; members that are not named do not matter, and `#3` is the third entry.
    static func differences(_ expected: Any, _ actual: Any?, at place: String) -> [String] {
        if let expected = expected as? [String: Any] {
            guard let actual = actual as? [String: Any] else { return ["\(place) is \(actual ?? "absent")"] }
            return expected.flatMap { differences($0.value, actual[$0.key], at: "\(place).\($0.key)") }
        }
        if let expected = expected as? [Any] {
            guard let actual = actual as? [Any], actual.count == expected.count else {
                return ["\(place) is \(actual ?? "absent")"]
            }
            return expected.indices.flatMap { differences(expected[$0], actual[$0], at: "\(place)[\($0)]") }
        }
        let isEqual: Bool
        switch expected {
        case let text as String: isEqual = named(text) == actual as? String
        case is NSNull: isEqual = actual is NSNull
        default: isEqual = (expected as? NSNumber).map { $0 == actual as? NSNumber } ?? false
        }
        return isEqual ? [] : ["\(place) is \(actual ?? "absent"), not \(expected)"]
    }

    private static func named(_ text: String) -> String {
        text.replacing(/#([0-9]+)/) { "n_test_\($0.1)" }
    }
}
