import APNs
import Foundation
import Simulation
import TLS
import Testing

@testable import Admin

/// Dry runs through the API.
struct ExplainTests {
    private let harness = AdminHarness(profile: .strict)
    private let device = AdminHarness.device

    private func explain(_ json: String, accept: String? = nil) -> AdminResponse {
        harness.send("/v1/explain", method: "POST", accept: accept, json: json)
    }

    private func checks(_ response: AdminResponse) -> [String: Bool?] {
        let list = response.object["checks"] as? [[String: Any]] ?? []
        return Dictionary(
            list.map { ($0["check"] as? String ?? "", $0["ok"] as? Bool) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `a request is explained and nothing is journaled`() {
        let response = explain(
            #"""
            {"device": "\#(device)", "headers": {"apns-topic": "com.acme.app", "apns-push-type": "alert"},
             "payload": {"aps": {"alert": "hi", "badge": "1"}}, "assumeSender": true}
            """#)
        #expect(response.status == 200)
        #expect(response.string("verdict") == "refused")
        let answer = response.object["answer"] as? [String: Any] ?? [:]
        #expect(answer["status"] as? Int == 400)
        #expect(answer["reason"] as? String == "BadRequestPayload")
        #expect(answer["body"] as? String == #"{"reason":"BadRequestPayload"}"#)
        #expect((answer["headers"] as? [String: String])?["apns-id"]?.count == 36)
        #expect(response.string("explanation").contains("badge"))
        #expect(checks(response)["payload"] == false)
        #expect(checks(response)["device"] == true)
        #expect(checks(response)["jwt.key"] == .some(nil))
        let finding = (response.object["findings"] as? [[String: Any]])?.first ?? [:]
        #expect(finding["path"] as? String == "aps.badge")
        let sizes = response.object["sizes"] as? [String: Any] ?? [:]
        #expect(sizes["bytes"] as? Int == #"{"aps": {"alert": "hi", "badge": "1"}}"#.utf8.count)
        #expect(harness.journal.cursor == 0)
    }

    @Test func `a sender must prove who it is unless it is assumed`() {
        let response = explain(#"{"device":"\#(device)","headers":{"apns-topic":"a"},"payload":{"aps":{"alert":"x"}}}"#)
        #expect((response.object["answer"] as? [String: Any])?["reason"] as? String == "MissingProviderToken")
        #expect(response.object["alsoWouldFail"] as? [String] == [])
    }

    @Test func `a certificate and an environment can be named`() throws {
        let certificate = PeerCertificate(
            subject: "UID = com.acme.app", serial: "4D0C", userID: "com.acme.app",
            listing: [.init("com.acme.app", kinds: ["app"])], isProduction: false)
        harness.simulator.certificates.add(certificate, isRevoked: false)
        func reason(_ rest: String) -> String? {
            let response = explain(
                #"{"device":"\#(device)","payload":{"aps":{"alert":"x"}},"certificate":"4d0c"\#(rest)}"#)
            return (response.object["answer"] as? [String: Any])?["reason"] as? String
        }
        #expect(reason("") == nil)
        #expect(reason(#","environment":"production""#) == "BadCertificateEnvironment")
        #expect(reason(#","headers":{"apns-topic":"com.other"}"#) == "TopicDisallowed")
        #expect(explain(#"{"device":"x","certificate":"00"}"#).status == 404)
    }

    @Test func `payloads that are no JSON come as text, repeated fields as lists`() {
        let text = explain(
            #"{"device":"\#(device)","headers":{"apns-topic":"a"},"payloadText":"{\"aps\":","assumeSender":true}"#)
        #expect(text.string("explanation").contains("not JSON"))
        // What is wrong with a payload comes behind all that Apple checks.
        let topicless = explain(#"{"device":"\#(device)","payloadText":"{\"aps\":","assumeSender":true}"#)
        #expect((topicless.object["alsoWouldFail"] as? [String]) == ["BadRequestPayload"])
        #expect(topicless.string("explanation").contains("apns-topic"))
        let twice = explain(
            #"{"device":"\#(device)","headers":{"Apns-Priority":[5, "5"]},"payload":{},"assumeSender":true}"#)
        #expect((twice.object["answer"] as? [String: Any])?["reason"] as? String == "DuplicateHeaders")
    }

    @Test func `other paths are explained too`() {
        let response = explain(
            #"{"path":"/1/apps/com.acme.app/all-channels","method":"GET","assumeSender":true}"#)
        #expect((response.object["answer"] as? [String: Any])?["status"] as? Int == 200)
        #expect((response.object["answer"] as? [String: Any])?["body"] as? String == #"{"channels":[]}"#)
    }

    @Test func `as text it is for people`() {
        let text = explain(#"{"path":"/x","assumeSender":true}"#, accept: "text/plain").text
        #expect(text.hasPrefix("would be REFUSED: 404 BadPath\n"))
    }

    @Test(
        arguments: [
            ("{}", "neither"), (#"{"device":"a","path":"/b"}"#, "one of them"), (#"{"devise":"a"}"#, "not a member"),
            (#"{"device":"a","headers":[]}"#, "an object of names"),
            (#"{"device":"a","headers":{":path":"x"}}"#, "no header field"),
            (#"{"device":"a","headers":{"apns-topic":{}}}"#, "expected a text"),
            (#"{"device":"a","payload":{},"payloadText":"x"}"#, "one of them"),
            (#"{"device":"a","environment":"staging"}"#, "staging"),
        ] as [(String, String)])
    func `an order that cannot be is refused`(body: String, words: String) {
        let response = explain(body)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
    }
}
