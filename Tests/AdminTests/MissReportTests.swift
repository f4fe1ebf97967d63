import APNs
import Foundation
import Locking
import Simulation
import Testing

@testable import Admin

/// What an unmet expectation says.
struct MissReportTests {
    private let harness = AdminHarness()
    private let other = String(repeating: "ab", count: 32)

    private var wrongTopic: CheckFailure {
        CheckFailure(
            .deviceTopic, .deviceTokenNotForTopic, expected: "com.acme.app", actual: "com.acme.app.voip",
            explanation: "The token is registered for com.acme.app, the request's apns-topic was com.acme.app.voip.")
    }

    /// The answer to a wait that saw what `arrives` does and ran out of time.
    private func miss(_ query: String, accept: String? = nil, _ arrives: () -> Void = {}) -> AdminResponse {
        let call = harness.start("/v1/notifications?\(query)", accept: accept)
        arrives()
        harness.loop.advance(60_000)
        return call.response ?? AdminResponse(status: 0)
    }

    @Test func `it says what was expected, what came, and how near it was`() {
        harness.push(other)
        let response = miss("device=6f1e*&aps.alert.title=Shipped*&after=1&wait=5s") {
            harness.push(payload: #"{"aps":{"alert":{"title":"Your order shipped"}}}"#)
            harness.push(topic: "com.acme.app.voip", failure: wrongTopic)
            harness.breakConnection()
        }
        #expect(response.status == 417)
        #expect(response.header("content-type") == "application/problem+json")
        #expect(response.string("type") == "urn:mock-apns:expectation-unmet")
        #expect(
            response.object["expected"] as? NSDictionary
                == ["count": 1, "waitMs": 5000, "filters": ["device": "6f1e*", "aps.alert.title": "Shipped*"]])
        #expect(
            response.object["seenSince"] as? NSDictionary
                == [
                    "accepted": 1, "rejected": 1, "faulted": 0, "broken": 1, "connectionsOpened": 1,
                    "handshakesFailed": 1,
                ])
        #expect(response.number("matched") == 0)
        #expect(response.number("cursor") == 4)
        #expect(response.object["timedOut"] as? Bool == true)
        let misses = response.object["nearMisses"] as? [NSDictionary]
        #expect(
            misses == [
                [
                    "id": "n_test_3", "seq": 3, "agree": ["device", "aps.alert.title"],
                    "differ": [
                        [
                            "field": "outcome", "expected": "accepted",
                            "actual": "rejected: 400 DeviceTokenNotForTopic",
                        ]
                    ],
                ],
                [
                    "id": "n_test_2", "seq": 2, "agree": ["device"],
                    "differ": [
                        ["field": "aps.alert.title", "expected": "Shipped*", "actual": "Your order shipped"]
                    ],
                ],
            ])
    }

    @Test func `a refused match is the first thing to say`() {
        let response = miss("device=6f1e*&wait=1s") {
            harness.breakConnection()
            harness.push(topic: "com.acme.app.voip", failure: wrongTopic)
        }
        #expect(response.string("hint") == "A matching push was rejected (n_test_2): " + wrongTopic.explanation)
    }

    @Test func `a match from before the cursor is mentioned`() {
        harness.push()
        let response = miss("device=6f1e*&wait=1s&after=now")
        #expect(response.string("hint").hasPrefix("A match came before the cursor: #1 (n_test_1)"))
    }

    @Test func `failed handshakes are counted and explained`() {
        let response = miss("device=6f1e*&wait=1s") {
            for _ in 1...3 { harness.breakConnection() }
        }
        #expect(response.string("hint") == "3 TLS handshakes failed: the client did not trust our CA")
    }

    @Test func `a push that differs in one field is compared with it`() {
        let response = miss("device=\(other)&topic=com.acme.app&wait=1s") { harness.push() }
        #expect(response.string("hint").hasPrefix("#1 differs only in device: wanted \(other), got \"6f1e"))
    }

    @Test func `failed handshakes say more than another device's push, a near push says more than they`() {
        let response = miss("device=\(other)&wait=1s") {
            harness.push()
            harness.breakConnection()
        }
        #expect(response.string("hint").hasPrefix("1 TLS handshake failed"))
        let near = miss("device=6f1e*&aps.badge=3&wait=1s") { harness.breakConnection() }
        #expect(near.string("hint") == #"#1 differs only in aps.badge: wanted 3, got "none"."#)
    }

    @Test func `when everything was refused, that is said`() {
        let response = miss("device=\(other)&topic=org.example&wait=1s") {
            for _ in 1...3 { harness.push(topic: "com.acme.app.voip", failure: wrongTopic) }
        }
        #expect(
            response.string("hint")
                == "All 3 pushes were refused; the last was rejected (n_test_3): " + wrongTopic.explanation)
    }

    @Test func `the same device is nearer than the same topic`() {
        let response = miss("device=6f1e*&topic=com.acme.app&wait=1s") {
            harness.push(topic: "org.example")
            harness.push(other)
        }
        let misses = response.object["nearMisses"] as? [[String: Any]]
        #expect(misses?.map { $0["seq"] as? Int } == [1, 2])
    }

    @Test func `silence leads to the address`() {
        harness.server.value.withLock {
            $0.info.listeners = [
                .init(kind: "apns", address: "127.0.0.1:2197", environment: "sandbox"),
                .init(kind: "admin", address: "127.0.0.1:2198", environment: ""),
            ]
        }
        let response = miss("wait=1s")
        #expect(response.string("hint").hasPrefix("Nothing reached this server since cursor 0"))
        #expect(response.string("hint").hasSuffix("(127.0.0.1:2197)."))
    }

    @Test func `a repeated push is recognised by its id`() {
        let id = UUID().uuidString
        let call = harness.start("/v1/notifications?exactly=1&wait=1s")
        harness.push(apnsID: id)
        harness.push(apnsID: id)
        harness.loop.run()
        #expect(
            call.response?.string("hint").hasPrefix("#2 (n_test_2) repeats #1: both have the apns-id \(id)") == true)
    }

    @Test func `at most three near misses, the nearest first, of equal ones the newest`() {
        let response = miss("device=6f1e*&topic=com.acme.app&type=alert&wait=1s") {
            for _ in 1...5 { harness.push(other) }
            harness.push(other, topic: "org.example")
        }
        let misses = response.object["nearMisses"] as? [[String: Any]]
        #expect(misses?.map { $0["seq"] as? Int } == [5, 4, 3])
    }

    @Test func `what has nothing in common is no near miss`() {
        let response = miss("device=6f1e*&topic=com.acme.app&wait=1s") { harness.push(other, topic: "org.example") }
        #expect((response.object["nearMisses"] as? [Any])?.isEmpty == true)
    }

    @Test func `the title counts what is missing`() {
        harness.push()
        #expect(
            harness.send("/v1/notifications?count=3").string("title")
                == "2 of 3 expected notifications have not arrived")
        #expect(harness.send("/v1/requests?exactly=2").string("title") == "1 of 2 expected requests has not arrived")
        #expect(
            miss("count=4&wait=1500ms").string("title")
                == "3 of 4 expected notifications did not arrive within 1.5 s")
    }

    @Test func `as text it fits the output of a failed test`() {
        harness.push(other)
        let response = miss(
            "device=6f1e*&topic=com.acme.app&aps.alert.title=Shipped*&after=1&wait=5s", accept: "text/plain"
        ) {
            harness.push(payload: #"{"aps":{"alert":{"title":"Your order shipped"}}}"#)
            harness.push(topic: "com.acme.app.voip", failure: wrongTopic)
        }
        #expect(response.header("content-type") == "text/plain; charset=utf-8")
        #expect(
            response.text == """
                expectation not met: 1 notification, got 0 within 5 s          since cursor 1
                  closest #3  REJECTED 400 DeviceTokenNotForTopic
                    device           ok   6f1e*
                    aps.alert.title  ok   Shipped*
                    topic            NO   wanted com.acme.app   got com.acme.app.voip
                  next    #2  ACCEPTED
                    device           ok   6f1e*
                    topic            ok   com.acme.app
                    aps.alert.title  NO   wanted Shipped*   got Your order shipped
                seen since: 1 accepted, 1 rejected
                hint: The closest push was rejected (n_test_3): The token is registered for com.acme.app, the \
                request's apns-topic was com.acme.app.voip.

                """)
    }

    @Test func `one too many as text`() {
        let id = UUID().uuidString
        harness.push(apnsID: id)
        harness.push(apnsID: id)
        let response = harness.send("/v1/notifications?exactly=1", accept: "text/plain")
        #expect(
            response.text == """
                expectation not met: exactly 1 notification, got 2          since cursor 0
                  match   #1  ACCEPTED   n_test_1
                  match   #2  ACCEPTED   n_test_2   one too many
                seen since: 2 accepted
                hint: #2 (n_test_2) repeats #1: both have the apns-id \(id). Did the sender retry?

                """)
        #expect(
            harness.send("/v1/notifications?exactly=0", accept: "text/plain").text
                .hasPrefix("expectation not met: no notification, got 2          since cursor 0\n"))
    }
}
