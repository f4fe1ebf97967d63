import APNs
import Foundation
import HTTP
import Locking
import Simulation
import Testing

@testable import Admin

/// Entries as things to paste.
struct RenderingTests {
    private let harness = AdminHarness()

    private func curl(_ target: String = "") -> String { harness.send("/v1/requests/1/curl" + target).text }

    @Test func `curl sends the same fields and the same body to the same listener`() {
        harness.server.value.withLock { $0.info.authorityFile = "certs/ca.pem" }
        harness.push(
            headers: [
                (.authorization, "bearer abc.def.secret"), (.apnsCollapseID, "order 42's"), (.userAgent, "mine"),
            ])
        #expect(
            curl() == """
                curl --http2 --cacert certs/ca.pem -H 'apns-topic: com.acme.app' \\
                  -H 'apns-push-type: alert' \\
                  -H "authorization: bearer $JWT" \\
                  -H 'apns-collapse-id: order 42'\\''s' \\
                  -H content-type: \\
                  --data-binary '{"aps":{"alert":{"title":"Shipped","body":"Order 42"}},"orderId":42}' \\
                  https://127.0.0.1:2197/3/device/\(AdminHarness.device)

                """)
        #expect(!curl().contains("secret"))
        let apple = curl("?target=apple")
        #expect(apple.contains(" https://api.sandbox.push.apple.com/3/device/"))
        #expect(!apple.contains("--cacert"))
    }

    @Test func `a body that is no text goes through base64`() throws {
        var request = HTTPRequest()
        request.append(.method, ":method", "POST")
        request.append(.path, ":path", "/3/device/ab")
        let body: [UInt8] = [0, 255, 39, 10, 64]
        body.withUnsafeBytes { request.appendBody($0) }
        let now = harness.simulator.clock.now()
        let connection = PeerConnectionReference(PeerConnection(id: 1, peer: "", listener: "0.0.0.0:2197"))
        let content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .rejected, request: request,
            connection: connection)
        let text = CurlRendering(JournalEntry(content), to: .mock, authorityFile: "my ca.pem").text
        #expect(text.hasPrefix("printf %s 'AP8nCkA=' | base64 -d | curl --http2 --cacert 'my ca.pem' "))
        #expect(text.contains("--data-binary @-"))
        #expect(text.hasSuffix(" https://127.0.0.1:2197/3/device/ab\n"))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 100])
    func `base64 is Foundation's`(count: Int) {
        var random = SplitMix(state: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        #expect(Base64.text(bytes) == Data(bytes).base64EncodedString())
    }

    @Test func `the file for the simulator names the app without the suffix of the push type`() throws {
        harness.push(topic: "com.acme.app.voip", type: .voip, payload: #"{"aps":{},"call":{"id":7},"é":[1.50]}"#)
        let response = harness.send("/v1/requests/1/apns")
        #expect(
            response.text == #"{"Simulator Target Bundle":"com.acme.app","aps":{},"call":{"id":7},"é":[1.50]}"# + "\n")
        #expect(response.header("content-disposition") == #"attachment; filename="n_test_1.apns""#)
        harness.push(payload: "[]")
        #expect(harness.send("/v1/requests/2/apns").status == 409)
    }

    @Test func `an assertion waits for exactly this push`() throws {
        harness.push(payload: #"{"aps":{"alert":{"title":"50% *off* \"now\", it's & more"}}}"#)
        let expected = [
            "swift": #""aps.alert.title": "50% \\*off\\* \"now\", it's & more""#,
            "pytest": #""aps.alert.title": "50% \\*off\\* \"now\", it's & more""#,
            "sh": #"--where 'aps.alert.title=50% \*off\* "now", it'\''s & more'"#,
            "go": "aps.alert.title=50%25%20%5C*off%5C*%20%22now%22%2C%20it%27s%20%26%20more&exactly=1",
            "junit": "aps.alert.title=50%25%20%5C*off%5C*%20%22now%22%2C%20it%27s%20%26%20more&exactly=1",
        ]
        for (language, words) in expected {
            let response = harness.send("/v1/requests/1/test?lang=\(language)")
            #expect(response.status == 200)
            #expect(response.text.contains(words), "\(response.text)")
            #expect(response.text.contains(AdminHarness.device))
        }
        // The question that the assertions ask is met by the push.
        let go = harness.send("/v1/requests/1/test?lang=go").text
        let start = try #require(go.firstRange(of: "/v1/notifications?"))
        let target = String(go[start.lowerBound...].prefix { $0 != "\"" }).replacing("&wait=5s", with: "")
        #expect(harness.send(target).status == 200, "\(target)")
        #expect(harness.send("/v1/requests/1/test").text.hasPrefix("try await apns.notifications("))
        #expect(harness.send("/v1/requests/1/test?lang=perl").status == 400)
    }

    @Test func `an assertion about a refusal waits for the refusal`() throws {
        harness.push(
            failure: CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: "a", actual: "b", explanation: "Not for this topic."))
        for language in ["swift", "pytest", "go", "junit", "sh"] {
            let text = harness.send("/v1/requests/1/test?lang=\(language)").text
            #expect(text.contains("/v1/requests"), "\(text)")
            #expect(text.contains("DeviceTokenNotForTopic"), "\(text)")
        }
    }

    @Test func `what never became a request has no form, and what is not there is 404`() {
        harness.breakConnection()
        for form in ["curl", "apns", "test"] {
            #expect(harness.send("/v1/requests/1/\(form)").status == 409)
            #expect(harness.send("/v1/requests/2/\(form)").status == 404)
        }
    }
}
