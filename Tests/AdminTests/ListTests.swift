import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// Plain lists: shape, filters, paging, projection.
struct ListTests {
    private let harness = AdminHarness()
    private let other = String(repeating: "ab", count: 32)

    private var failure: CheckFailure {
        CheckFailure(
            .topicPresent, .missingTopic, expected: "a topic", actual: "none", explanation: "There is no apns-topic.")
    }

    @Test func `an empty journal is an empty list`() {
        let response = harness.send("/v1/notifications")
        #expect(response.status == 200)
        #expect(response.header("content-type") == "application/json")
        #expect(response.items.isEmpty)
        #expect(response.number("matched") == 0)
        #expect(response.number("cursor") == 0)
        #expect(response.number("oldest") == 1)
        #expect(response.object["truncated"] as? Bool == false)
        #expect(response.object["timedOut"] as? Bool == false)
        #expect(response.number("waitedMs") == 0)
    }

    @Test func `notifications are accepted pushes, requests are everything, both in order`() {
        harness.push()
        harness.push(failure: failure)
        harness.breakConnection()
        harness.push()
        #expect(harness.send("/v1/notifications").items.map { $0["seq"] as? Int } == [1, 4])
        #expect(harness.send("/v1/requests").items.map { $0["seq"] as? Int } == [1, 2, 3, 4])
        #expect(harness.send("/v1/requests?outcome=rejected,broken").items.map { $0["seq"] as? Int } == [2, 3])
        #expect(harness.send("/v1/requests?status=400").items.map { $0["seq"] as? Int } == [2])
        #expect(harness.send("/v1/requests?reason=MissingTopic").items.map { $0["seq"] as? Int } == [2])
    }

    @Test(arguments: [
        ("device=6f1e*", [1, 3]), ("device=6F1E*", [1, 3]), ("topic=com.acme.*", [1, 2]),
        ("topic=com.acme.app,org.example", [1, 2, 3]), ("type=background", [3]), ("type=alert&topic=com.*", [1, 2]),
        ("aps.alert.title=Ship*", [1]), ("aps.badge=3", [2]), ("payload.items.0.sku=A*", [2]),
        ("payload.orderId=42", [1]), ("header.user-agent=tester", [3]), ("collapseId=order-42", [3]),
        ("keyId=MOCK000001", [1, 2, 3]), ("conn=c7", [1, 2, 3]), ("conn=c8", []), ("env=sandbox", [1, 2, 3]),
        ("env=production", []), ("since=1h", [1, 2, 3]), ("until=1h", []), ("since=2020-01-01T00:00:00Z", [1, 2, 3]),
        ("until=2020-01-01T00:00:00%2B02:00", []), ("priority=10", [1, 2, 3]), ("after=1", [2, 3]), ("after=now", []),
        ("after=0&limit=2", [1, 2]), ("order=desc", [3, 2, 1]), ("order=desc&limit=1", [3]),
        ("aps.alert.title=Shipped&aps.alert.title=Hi", [1, 2]), ("q=shipped", [1]), ("q=order+!badge", [1]),
        ("q=type:alert+!title:ship", [2]), ("q=is:silent", [3]), ("q=!is:silent", [1, 2]), ("q=has:badge", [2]),
        ("q=%22order+42%22", [1]), ("q=larger:50", [1, 2]), ("q=smaller:40+topic:org.*", [3]), ("q=nothing", []),
        ("q=has:attachment-url", []), ("q=payload.items.0.sku:A*", [2]), ("q=finding:L006", []),
    ])
    func `filters, cursors and paging choose`(query: String, expected: [Int]) {
        harness.push()
        harness.push(
            other, payload: #"{"aps":{"alert":{"title":"Hi"},"badge":3},"items":[{"sku":"A7"}]}"#)
        harness.push(
            topic: "org.example", type: .background, payload: #"{"aps":{"content-available":1}}"#,
            headers: [(.userAgent, "tester"), (.apnsCollapseID, "order-42")])
        let response = harness.send("/v1/notifications?\(query)")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.items.compactMap { $0["seq"] as? Int } == expected)
    }

    @Test func `a page says how many there are and where the next begins`() {
        for _ in 1...5 { harness.push() }
        let first = harness.send("/v1/notifications?limit=2")
        #expect(first.number("matched") == 5)
        #expect(first.number("returned") == 2)
        #expect(first.number("cursor") == 2)
        let second = harness.send("/v1/notifications?limit=2&after=2")
        #expect(second.items.map { $0["seq"] as? Int } == [3, 4])
        let last = harness.send("/v1/notifications?limit=2&after=4")
        #expect(last.number("cursor") == 5)
    }

    @Test func `pages of a hundred by default`() {
        for _ in 1...120 { harness.push() }
        #expect(harness.send("/v1/notifications").number("returned") == 100)
        #expect(harness.send("/v1/notifications?limit=1000").number("returned") == 120)
    }

    @Test func `an evicted beginning is admitted`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2))
        for _ in 1...5 { harness.push() }
        let whole = harness.send("/v1/notifications")
        #expect(whole.object["truncated"] as? Bool == true)
        #expect(whole.number("oldest") == 4)
        #expect(harness.send("/v1/notifications?after=3").object["truncated"] as? Bool == false)
    }

    @Test func `fields choose members, inner ones too`() {
        harness.push()
        let item = harness.send("/v1/notifications?fields=seq,payload.aps.alert.title,findings.code").items[0]
        #expect(Set(item.keys) == ["seq", "payload", "findings"])
        #expect((item["payload"] as? NSDictionary) == ["aps": ["alert": ["title": "Shipped"]]] as NSDictionary)
    }

    @Test func `an unknown field is refused with the nearest known one`() {
        let response = harness.send("/v1/notifications?fields=devise")
        #expect(response.status == 400)
        #expect(response.string("hint") == #"Did you mean "device"?"#)
    }

    @Test func `every member that fields knows is one that items have, and the reverse`() {
        harness.push(headers: [(.apnsCollapseID, "a")])
        harness.simulator.clock.run(offset: 60_000)
        harness.push(failure: failure)
        harness.push(payload: String(repeating: "no JSON ", count: 20_000))
        var binary = harness.push(payload: "").content
        [UInt8(0xFF)].withUnsafeBytes { binary.request.appendBody($0) }
        _ = harness.journal.commit([JournalEntry(binary)])
        harness.breakConnection()
        harness.request("POST", "/1/apps/com.acme.app/channels", [], "{}")
        let members = harness.send("/v1/requests").items.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        #expect(members.sorted() == Projection.known)
    }

    @Test(arguments: [
        ("/v1/notifications?limit=0", "limit"), ("/v1/notifications?limit=1001", "limit"),
        ("/v1/notifications?order=up", "order"), ("/v1/notifications?after=then", "after"),
        ("/v1/notifications?after=7", "after"), ("/v1/notifications?wait=61s", "wait"),
        ("/v1/notifications?count=0", "count"), ("/v1/notifications?exactly=-1", "exactly"),
        ("/v1/notifications?settle=1s&exactly=1", "wait"), ("/v1/notifications?settle=1s&wait=1s", "exactly"),
        ("/v1/notifications?count=1&exactly=1", "exactly"), ("/v1/notifications?onTimeout=fine", "onTimeout"),
        ("/v1/notifications?since=yesterday", "since"), ("/v1/notifications?type=alarm", "type"),
        ("/v1/notifications?env=staging", "env"), ("/v1/requests?outcome=lost", "outcome"),
        ("/v1/notifications?device=", "device"), ("/v1/notifications?priority=high", "priority"),
    ])
    func `a bad value is refused, and the answer names the parameter`(target: String, name: String) {
        let response = harness.send(target)
        #expect(response.status == 400)
        #expect(response.header("content-type") == "application/problem+json")
        #expect(response.string("type") == "urn:mock-apns:bad-value")
        #expect(response.string("detail").contains(name), "\(response.text)")
    }

    @Test(arguments: ["outcome=rejected", "status=400", "reason=Unregistered"])
    func `what only refused requests have is asked of the inspection log`(query: String) {
        let response = harness.send("/v1/notifications?\(query)")
        #expect(response.status == 400)
        #expect(response.string("hint").contains("/v1/requests?\(query.prefix { $0 != "=" })"), "\(response.text)")
    }

    @Test func `a cursor of another run is refused rather than waited for`() {
        let response = harness.send("/v1/notifications?after=5000&wait=5s")
        #expect(response.status == 400)
        #expect(response.string("hint").contains("another run"))
    }

    @Test func `as text a list is aligned lines`() {
        harness.push()
        harness.push(topic: "com.acme.other.app", failure: failure)
        harness.breakConnection()
        let response = harness.send("/v1/requests", accept: "text/plain")
        #expect(response.header("content-type") == "text/plain; charset=utf-8")
        let lines = response.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].contains("#1  200  alert"))
        #expect(lines[0].hasSuffix("6f1e00..0000     Shipped - Order 42"))
        #expect(lines[1].hasSuffix("MissingTopic  There is no apns-topic."))
        #expect(lines[2].contains("the client did not trust our CA"))
    }

    @Test func `line breaks of a push do not break the lines`() {
        harness.push(payload: #"{"aps":{"alert":"one\ntwo"}}"#)
        #expect(harness.send("/v1/requests", accept: "text/plain").text.split(separator: "\n").count == 1)
    }

    @Test func `latest is the newest match alone`() {
        harness.push()
        harness.push(payload: #"{"aps":{"alert":"second"}}"#)
        let response = harness.send("/v1/notifications/latest")
        #expect(response.number("seq") == 2)
        let title = harness.send("/v1/notifications/latest?aps.alert.title=*&fields=payload.aps.alert.title")
        #expect(title.object as NSDictionary == ["payload": ["aps": ["alert": ["title": "Shipped"]]]] as NSDictionary)
    }

    @Test func `latest of nothing is 404 with near misses`() {
        harness.push(failure: failure)
        let response = harness.send("/v1/notifications/latest?device=6f1e*")
        #expect(response.status == 404)
        #expect((response.object["nearMisses"] as? [Any])?.count == 1)
        #expect(response.string("hint").contains("There is no apns-topic."))
    }
}
