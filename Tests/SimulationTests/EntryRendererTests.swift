import APNs
import Foundation
import HTTP
import JSON
import Simulation
import TestFixtures
import Testing

struct EntryRendererTests {
    private let renderer = EntryRenderer(instance: "k3x9", adminBase: "http://127.0.0.1:2198")

    /// The entry's text, as the admin API writes it.
    private func text(_ content: JournalEntry.Content, _ renderer: EntryRenderer? = nil) -> String {
        let entry = JournalEntry(content)
        entry.assign(seq: 1043)
        var writer = JSONWriter()
        (renderer ?? self.renderer).write(entry, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func object(_ content: JournalEntry.Content) throws -> [String: Any] {
        let text = text(content)
        #expect(!text.contains("\n") && !text.contains("\r"))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(object as? [String: Any])
    }

    /// The facts as the decision learns them.
    private func facts(_ request: HTTPRequest) -> PayloadFacts {
        var document = JSONDocument()
        _ = document.parse(request.storage, in: request.bodyRange)
        return PayloadFacts(document)
    }

    private func push(headers: [(HeaderName, String, String)] = [], payload: String = JournalFixture.payload)
        -> JournalEntry.Content
    {
        var content = JournalFixture.content(headers: headers, payload: payload)
        content.payload = facts(content.request)
        return content
    }

    // MARK: An accepted push

    @Test func `an accepted push, letter by letter`() {
        var content = push(headers: [
            (.authorization, "authorization", "bearer eyJ.eyK.c2lnbmF0dXJl"),
            (.apnsExpiration, "apns-expiration", "0"),
            (.userAgent, "user-agent", "APNS/swift-nio"),
        ])
        content.expiration = 0
        content.stream = 15
        content.requestsOnConnection = 8
        content.apnsID = UUIDText(Array("EC1BF194-B3B2-424A-8912-0123456789AB".utf8))
        content.apnsUniqueID = UUIDText(Array("7C833119-83D9-9192-777A-F6C5B0D032A1".utf8))
        content.authentication = .token(
            keyID: "MOCK000001", teamID: "MOCKTEAM01", issuedAt: 1_768_469_398.923, signature: "verified")
        let token = JournalFixture.token
        let expected =
            #"{"id":"n_k3x9_1043","seq":1043,"#
            + #""links":{"self":"/v1/requests/n_k3x9_1043","raw":"/v1/requests/n_k3x9_1043/raw","#
            + #""ui":"http://127.0.0.1:2198/#/n_k3x9_1043"},"#
            + #""namespace":"default","state":"pending","outcome":"accepted","#
            + #""receivedAt":"2026-01-15T09:30:00.123Z","kind":"device","profile":"strict","#
            + #""environment":"sandbox","#
            + #""device":"\#(token)","topic":"com.acme.app","pushType":"alert","priority":10,"#
            + #""apnsId":"EC1BF194-B3B2-424A-8912-0123456789AB","#
            + #""apnsUniqueId":"7C833119-83D9-9192-777A-F6C5B0D032A1","collapseId":null,"#
            + #""expiration":{"header":"0","meaning":"try once, do not store"},"#
            + #""payload":\#(JournalFixture.payload),"payloadBytes":96,"payloadLimit":4096,"#
            + #""display":{"title":"Shipped","subtitle":null,"body":"Order 42","badge":1,"sound":"default","#
            + #""thread":null,"silent":false},"#
            + #""headers":[[":method","POST"],[":path","/3/device/\#(token)"],["apns-topic","com.acme.app"],"#
            + #"["authorization","bearer eyJ.eyK...."],["apns-expiration","0"],["user-agent","APNS/swift-nio"]],"#
            + #""auth":{"method":"token","keyId":"MOCK000001","teamId":"MOCKTEAM01","tokenAgeMs":1200,"#
            + #""signature":"verified"},"#
            + #""connection":{"id":"c7","peer":"127.0.0.1:53122","listener":"127.0.0.1:2197","#
            + #""serverName":"localhost","alpn":"h2","tlsVersion":"TLSv1.3","stream":15,"requestsOnConnection":8,"#
            + #""userAgent":"APNS/swift-nio"},"#
            + #""response":{"status":200,"reason":null,"afterMs":null},"rule":null,"findings":[]}"#
        let actual = text(content)
        #expect(actual == expected, "\(actual.commonPrefix(with: expected))")
    }

    @Test func `the log has the same object without the headers of an accepted push`() throws {
        let path = try JournalFixture.path()
        let journal = JournalFixture.journal(log: try InspectionLog(path: path))
        let accepted = JournalEntry(push())
        let rejected = JournalEntry(JournalFixture.content(.rejected))
        #expect(journal.commit([accepted, rejected]) > 0)
        let lines = try JournalFixture.lines(path)
        for (line, entry) in zip(lines, [accepted, rejected]) {
            var writer = JSONWriter()
            journal.renderer.write(entry, to: &writer)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
            var expected = object
            if entry === accepted { expected["headers"] = nil }
            #expect(NSDictionary(dictionary: line) == NSDictionary(dictionary: expected))
        }
        #expect(lines.count == 2)
    }

    @Test func `an answered push is complete`() throws {
        let entry = JournalEntry(push())
        entry.answered(afterMilliseconds: 2)
        var writer = JSONWriter()
        renderer.write(entry, to: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.contains(#""state":"complete""#))
        #expect(text.contains(#""response":{"status":200,"reason":null,"afterMs":2}"#))
    }

    @Test func `the time of the server's clock is shown when a test has set it`() throws {
        var content = push()
        #expect(try object(content)["serverTime"] == nil)
        content.serverTime = 0
        #expect(try object(content)["serverTime"] as? String == "1970-01-01T00:00:00.000Z")
    }

    @Test func `without an admin endpoint there is no link to the page`() throws {
        let text = text(push(), EntryRenderer(instance: "k3x9", adminBase: nil))
        #expect(text.contains(#""raw":"/v1/requests/n_k3x9_1043/raw"},"#))
        #expect(!text.contains(#""ui""#))
    }

    @Test(
        arguments: [
            (nil, nil, "none given: stored for as long as APNs does"),
            ("0", 0, "try once, do not store"),
            ("1768469401", 1_768_469_401, "store until 2026-01-15T09:30:01Z"),
            ("1768469400", 1_768_469_400, "over at arrival: try once, do not store"),
            ("9223372036854775807", 9_223_372_036_854_775_807, "store until a time that no calendar has"),
            ("soon", nil, nil),
        ] as [(String?, Int64?, String?)])
    func `the expiration is explained`(header: String?, seconds: Int64?, meaning: String?) throws {
        var content = push(headers: header.map { [(.apnsExpiration, "apns-expiration", $0)] } ?? [])
        content.expiration = seconds
        let expiration = try #require(try object(content)["expiration"] as? [String: Any])
        #expect(expiration["header"] as? String == header)
        #expect(expiration["meaning"] as? String == meaning)
    }

    @Test func `a client certificate and its default topic are shown`() throws {
        var content = JournalFixture.content()
        content.request = HTTPRequest()
        JournalFixture.add(.path, ":path", "/3/device/ab", to: &content.request)
        content.payload = PayloadFacts()
        content.device = nil
        content.defaultTopic = "com.acme.\"app\""
        content.authentication = .certificate(subject: "CN=Apple Push Services: com.acme.app, UID=com.acme.app")
        let object = try object(content)
        #expect(object["topic"] as? String == "com.acme.\"app\"")
        #expect(object["device"] is NSNull)
        let auth = try #require(object["auth"] as? [String: String])
        #expect(auth == ["method": "certificate", "subject": "CN=Apple Push Services: com.acme.app, UID=com.acme.app"])
    }

    @Test func `the rule that shaped the answer is named`() throws {
        var content = push()
        #expect(content.isOrdinary)
        content.rule = JournalEntry.RuleUse(id: "flaky \"429\"", attempt: 2, draw: 0.031)
        #expect(!content.isOrdinary)
        let text = text(content)
        #expect(text.contains(#","rule":{"id":"flaky \"429\"","attempt":2,"draw":0.031},"findings""#))
        content.rule = JournalEntry.RuleUse(id: "all", attempt: 1)
        let rule = try #require(try object(content)["rule"] as? [String: Any])
        #expect(NSDictionary(dictionary: rule) == ["id": "all", "attempt": 1])
    }

    @Test func `one rare fact does not disturb another`() {
        var content = push()
        content.defaultTopic = "com.acme.app"
        content.rule = JournalEntry.RuleUse(id: "all", attempt: 1)
        content.rare.breakage = JournalEntry.Breakage(cause: "tls", explanation: "")
        #expect(content.defaultTopic == "com.acme.app")
        #expect(content.rule?.id == "all")
        #expect(content.breakage?.cause == "tls")
        content.defaultTopic = nil
        #expect(content.rule?.id == "all")
    }

    // MARK: Headers

    @Test(arguments: [
        ("bearer a.b.c", "bearer a.b...."),
        ("a.b.c", "a.b...."),
        (
            "bearer abcdefghijklmnopqrst.uvwxyz0123456789.secretsecretsecret",
            "bearer abcdefghijklmnopqrst.uvwxyz0123456789...."
        ),
        ("bearer secret.secret", "bearer ..."),
        ("Basic c2VjcmV0", "Basic ..."),
        ("secret", "..."),
        ("", "..."),
        (".", "..."),
        ("..", "....."),
        ("bearer a.b.\u{E9}\"secret", "bearer a.b...."),
        ("bearer \u{E9}.\".secret", "bearer \u{E9}.\"...."),
    ])
    func `secrets are left out`(value: String, shown: String) throws {
        let object = try object(push(headers: [(.authorization, "authorization", value), (.other, "te", "trailers")]))
        let headers = try #require(object["headers"] as? [[String]])
        #expect(headers.suffix(2) == [["authorization", shown], ["te", "trailers"]])
    }

    @Test(arguments: 0...80)
    func `headers of every length are copied whole`(length: Int) throws {
        let value = String((0..<length).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
        var content = push(headers: [(.other, "x-" + value, value)], payload: "")
        #expect(try (object(content)["headers"] as? [[String]])?.last == ["x-" + value, value])
        // With nothing behind the last value, as in a request without a body.
        content = push(headers: [(.other, "x", value)], payload: "")
        #expect(try (object(content)["headers"] as? [[String]])?.last == ["x", value])
    }

    @Test func `what is no plain text in a header is escaped`() throws {
        let odd = "a\"b\\c\u{1}d\u{7F}\u{E9}\u{1F600}\t"
        let content = push(headers: [(.other, "x-odd", odd), (.userAgent, "user-agent", odd)])
        let object = try object(content)
        #expect((object["headers"] as? [[String]])?.suffix(2) == [["x-odd", odd], ["user-agent", odd]])
        #expect((object["connection"] as? [String: Any])?["userAgent"] as? String == odd)
    }

    @Test func `bytes of a header that are no UTF-8 are replaced`() throws {
        var content = push()
        var request = HTTPRequest()
        JournalFixture.add(.path, ":path", "/3/device/", to: &request)
        [UInt8]("x".utf8).withUnsafeBytes { name in
            ([0x61, 0xFF, 0x62] as [UInt8]).withUnsafeBytes { request.append(.other, name: name, value: $0) }
        }
        content.request = request
        content.device = nil
        content.payload = facts(request)
        #expect(try (object(content)["headers"] as? [[String]])?.last == ["x", "a\u{FFFD}b"])
    }

    // MARK: Payloads

    @Test func `a payload over several lines is put on one`() throws {
        let payload = "{\r\n  \"aps\" : { \"alert\" : \"a \\\" b\\\\\",\n\t\"badge\" : [ 1 , 2 ] }\n}"
        let text = text(push(payload: payload))
        #expect(
            text.contains(
                #""payload":{"aps":{"alert":"a \" b\\","badge":[1,2]}},"payloadBytes":\#(payload.utf8.count)"#))
    }

    @Test func `a payload on one line stays as it is`() {
        let payload = #"{ "aps" : {"alert":"caf\u00e9 \#u{1F600}" }, "n":1.50 }"#
        #expect(text(push(payload: payload)).contains("\"payload\":" + payload + ",\"payloadBytes\""))
    }

    @Test(
        arguments: [
            ("", nil, nil),
            ("{\"aps\":", "{\"aps\":", nil),
            ("not \"json\"\n", "not \"json\"\n", nil),
            ("\u{E9}", "\u{E9}", nil),
        ] as [(String, String?, String?)])
    func `a payload that is no JSON is shown as it came`(payload: String, shown: String?, base64: String?) throws {
        var content = push(payload: payload)
        for form in [content.payload.form, .unknown] {
            content.payload.form = form
            let object = try object(content)
            #expect(object["payload"] is NSNull)
            #expect(object["payloadText"] as? String == shown)
            #expect(object["payloadBase64"] as? String == base64)
            #expect(object["payloadCut"] == nil)
        }
    }

    @Test(arguments: 1...7)
    func `a payload that is no text is shown in base64`(length: Int) throws {
        let bytes = (0..<length).map { UInt8(0xF8 + $0) }
        var content = JournalFixture.content(payload: "")
        bytes.withUnsafeBytes { content.request.appendBody($0) }
        content.payload = facts(content.request)
        let object = try object(content)
        #expect(object["payloadBase64"] as? String == Data(bytes).base64EncodedString())
        #expect(object["payloadBytes"] as? Int == length)
    }

    @Test func `a long payload that is no JSON is cut between two characters`() throws {
        let payload = String(repeating: "\u{20AC}", count: 2000)
        let object = try object(push(payload: payload))
        let shown = try #require(object["payloadText"] as? String)
        #expect(shown == String(repeating: "\u{20AC}", count: 1365))
        #expect(object["payloadCut"] as? Bool == true)
        #expect(object["payloadBytes"] as? Int == 6000)
    }

    @Test func `a payload whose end was not kept is cut`() throws {
        var content = push(payload: "{\"aps\":{}}")
        content.request.droppedBodyBytes = 1000
        content.payload.form = .other
        let object = try object(content)
        #expect(object["payloadText"] as? String == "{\"aps\":{}}")
        #expect(object["payloadCut"] as? Bool == true)
        #expect(object["payloadBytes"] as? Int == 1010)
    }

    @Test func `very large JSON is shown as a text that is cut`() throws {
        let payload = "{\"x\":\"" + String(repeating: "y", count: 70_000) + "\"}"
        let object = try object(push(payload: payload))
        #expect(object["payload"] is NSNull)
        #expect((object["payloadText"] as? String)?.count == 4096)
    }

    // MARK: Refusals

    @Test func `a refusal lists what was told, why, the fix and every check`() throws {
        var content = JournalFixture.content(.rejected)
        content.payload = facts(content.request)
        content.status = 403
        content.reason = .expiredProviderToken
        content.failures = [
            CheckFailure(
                .tokenAge, .expiredProviderToken, expected: "0..3600 s", actual: "3664 s",
                explanation: "The JWT's iat is 61 min 04 s old."),
            CheckFailure(
                .deviceActive, .unregistered, expected: "an active token", actual: "unregistered",
                explanation: "The token is gone since 08:00.", timestamp: 1_768_464_000_000),
        ]
        let object = try object(content)
        let rejection = try #require(object["rejection"] as? [String: Any])
        #expect(rejection["status"] as? Int == 403)
        #expect(rejection["reason"] as? String == "ExpiredProviderToken")
        #expect(rejection["explanation"] as? String == "The JWT's iat is 61 min 04 s old.")
        #expect(rejection["fix"] as? String == Reason.expiredProviderToken.row.fix.description)
        #expect(rejection["alsoWouldFail"] as? [String] == ["Unregistered"])
        #expect(rejection["timestamp"] == nil)
        let checks = try #require(rejection["checks"] as? [[String: Any]])
        #expect(checks.map { $0["check"] as? String } == Check.deviceOrder.map { $0.name.description })
        let age = try #require(checks.first { $0["check"] as? String == "jwt.age" })
        #expect(age["ok"] as? Bool == false)
        #expect(age["expected"] as? String == "0..3600 s" && age["actual"] as? String == "3664 s")
        #expect(age["note"] == nil)
        let active = try #require(checks.first { $0["check"] as? String == "device.active" })
        #expect(active["ok"] as? Bool == false)
        #expect(active["note"] as? String == "would also fail: The token is gone since 08:00.")
        let path = try #require(checks.first { $0["check"] as? String == "path" })
        #expect(path["ok"] as? Bool == true)
    }

    @Test func `a 410 carries when the token was found to be gone`() throws {
        var content = JournalFixture.content(.rejected)
        content.failures = [
            CheckFailure(
                .deviceActive, .unregistered, expected: "an active token", actual: "unregistered",
                explanation: "Gone.", timestamp: 1_768_464_000_000)
        ]
        let rejection = try #require(try object(content)["rejection"] as? [String: Any])
        #expect(rejection["timestamp"] as? Int64 == 1_768_464_000_000)
    }

    @Test(arguments: [
        (
            [Check.authorizationPresent], ["jwt.form", "jwt.key", "jwt.signature", "jwt.age", "topic.allowed"],
            ["payload", "topic.form"]
        ),
        ([.path], ["device", "topic.present", "payload"], ["jwt.age", "service"]),
        ([.tokenKey], ["jwt.signature"], ["jwt.age"]),
        ([.payloadPresent], ["payload", "payload.size"], ["device"]),
        ([.topicPresent], ["topic.form", "topic.allowed"], ["device"]),
        ([.authorizationPresent, .payloadPresent], ["jwt.form", "payload"], ["device"]),
        ([.method], ["certificate"], ["path", "jwt.form"]),
    ])
    func `checks that had nothing to look at were not made`(failed: [Check], unmade: [String], passed: [String]) throws
    {
        var content = JournalFixture.content(.rejected)
        content.failures = failed.map {
            CheckFailure($0, .badPath, expected: "", actual: "", explanation: "")
        }
        let rejection = try #require(try object(content)["rejection"] as? [String: Any])
        let checks = try #require(rejection["checks"] as? [[String: Any]])
        for check in checks {
            guard let name = check["check"] as? String else { continue }
            if unmade.contains(name) {
                #expect(check["ok"] is NSNull && check["note"] as? String == "not made", "\(name)")
            }
            if passed.contains(name) { #expect(check["ok"] as? Bool == true, "\(name)") }
            if failed.contains(where: { $0.name.description == name }) { #expect(check["ok"] as? Bool == false) }
        }
    }

    @Test func `the reason is spelt as it was sent`() throws {
        var content = JournalFixture.content(.rejected)
        content.reason = .invalidCollapseID
        content.failures = [CheckFailure(.collapseID, .invalidCollapseID, expected: "", actual: "", explanation: "")]
        var documented = renderer
        documented.usesDocumentedSpelling = true
        #expect(text(content).contains(#""reason":"InvalidCollapseId""#))
        #expect(text(content, documented).contains(#""reason":"BadCollapseId""#))
    }

    @Test func `findings carry all that the table says of them`() throws {
        let code = FindingCode(
            "X001", .error, expected: "a \"number\"", fix: "Send a number.", source: "Generating a remote notification")
        var content = push()
        content.findings = [
            Finding(code, path: "aps.badge", found: "\"5\"", message: "badge is a string."),
            Finding(code, message: "Again."),
        ]
        let findings = try #require(try object(content)["findings"] as? [[String: String]])
        #expect(
            findings.first == [
                "code": "X001", "severity": "error", "path": "aps.badge", "found": "\"5\"",
                "message": "badge is a string.", "expected": "a \"number\"", "fix": "Send a number.",
                "source": "Generating a remote notification",
            ])
        #expect(findings.count == 2)
    }

    @Test func `a broken connection shows the cause and the first bytes`() throws {
        let peer = PeerConnection(id: 9, peer: "127.0.0.1:53177", listener: "127.0.0.1:2197")
        var content = JournalEntry.Content(
            receivedAt: 1_768_469_400_123, serverTime: 1_768_469_400_123, outcome: .broken, request: HTTPRequest(),
            connection: PeerConnectionReference(peer))
        content.breakage = .init(
            cause: "http1", explanation: "The client spoke \"HTTP/1.1\".", firstBytes: Array("GET / HTTP".utf8))
        let object = try object(content)
        #expect(object["outcome"] as? String == "broken")
        #expect(object["state"] as? String == "complete")
        let broken = try #require(object["broken"] as? [String: String])
        #expect(
            broken == [
                "cause": "http1", "explanation": "The client spoke \"HTTP/1.1\".", "firstBytes": "474554202f2048545450",
            ])
        #expect((object["connection"] as? [String: Any])?["id"] as? String == "c9")
        #expect(object["response"] == nil && object["payload"] == nil)
    }

    // MARK: Everything

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `whatever bytes arrive, the line is one line of JSON`(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let alphabet: [UInt8] =
            Array("{}[]\",:\\ntrue0.e-\u{E9}\u{20AC}\u{1F600} ".utf8) + [0, 10, 13, 31, 127, 192, 255]
        func bytes(_ limit: Int) -> [UInt8] {
            (0..<Int.random(in: 0...limit, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! }
        }
        for _ in 0..<50 {
            var content = JournalFixture.content(.rejected)
            var request = HTTPRequest()
            for name in HeaderName.allCases {
                bytes(20).withUnsafeBytes { spelling in
                    bytes(40).withUnsafeBytes { request.append(name, name: spelling, value: $0) }
                }
            }
            bytes(200).withUnsafeBytes { request.appendBody($0) }
            content.request = request
            content.device = request.valueRange(.path)
            content.collapseID = request.valueRange(.apnsCollapseID)
            content.payload = Bool.random(using: &generator) ? facts(request) : PayloadFacts()
            let object = try object(content)
            #expect((object["headers"] as? [[String]])?.count == HeaderName.allCases.count)
        }
    }
}
