import APNs
import Foundation
import JSON
import Simulation
import Testing

/// How reports on payloads read.
struct PayloadReportTests {
    private func report(
        _ payload: String, _ change: (inout PayloadQuestion) -> Void = { _ in }
    ) -> PayloadReport {
        var question = PayloadQuestion()
        change(&question)
        var explainer = PayloadExplainer()
        return explainer.explain(Array(payload.utf8), question)
    }

    private let plain = TextStyle(isColored: false)

    @Test func `a good file is a line`() {
        let text = report(#"{"aps":{"alert":"hi"}}"#).text(file: "a.json", withSizes: false, plain)
        #expect(text == "a.json  ok  alert (inferred), 22 of 4096 bytes\n")
    }

    @Test func `a bad file says what, where and how to mend it, in the order of the file`() {
        let payload = "{\n  \"sound\": \"x\",\n  \"aps\": {\"alert\": \"hi\", \"badge\": -1}\n}\n"
        #expect(
            report(payload) { $0.pushType = .alert }.text(file: "b.json", withSizes: false, plain)
                == """
                b.json  REFUSED 400 BadRequestPayload  alert, 58 of 4096 bytes, 45 without white space
                  2:3     warning  sound stands beside aps, where devices do not look for it.  L019
                                   Move the key into aps, or give the app's key another name.
                  3:26    error    badge is -1; it must be a whole number of 0 or more.  P010
                                   Send badge as a JSON integer; 0 takes the badge away.

                """)
    }

    @Test func `the table shows where the bytes go, the largest first`() {
        let text = report(#"{"aps":{"alert":{"title":"hi"},"badge":1},"a.b":"0123456789"}"#)
            .text(file: "c.json", withSizes: true, plain)
        #expect(
            text.split(separator: "\n").dropFirst() == [
                "    aps               40  ███████████████████", "      alert           22",
                "        title         12", "      badge            9", "    a.b               18  ████████",
                "    { } , and blanks   3  █", "    total             61  4035 left of 4096",
            ])
    }

    @Test func `a payload near its limit shows the table unasked`() {
        let payload = #"{"aps":{"alert":"hi"},"data":"\#(String(repeating: "x", count: 4070))"}"#
        let text = report(payload).text(file: "d.json", withSizes: false, plain)
        #expect(text.contains("REFUSED 413 PayloadTooLarge"))
        #expect(text.contains("payload.size"))
        #expect(text.contains("\(payload.utf8.count - 4096) more than 4096"))
    }

    @Test func `many keys do not make a long table`() {
        let members = (0..<100).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let text = report(#"{"aps":{"alert":"hi"},\#(members)}"#).text(file: "e.json", withSizes: true, plain)
        #expect(text.contains("(81 more)"))
        #expect(text.split(separator: "\n").count < 30)
    }

    @Test func `colours are for terminals without NO_COLOR`() {
        let payload = report(#"{"aps":{"alert":"hi","badge":"1"}}"#)
        func text(_ isTerminal: Bool, _ environment: [String: String]) -> String {
            payload.text(
                file: "f.json", withSizes: true, TextStyle(isTerminal: isTerminal, environment: environment))
        }
        #expect(text(true, [:]).contains("\u{1B}[1;31mREFUSED"))
        #expect(text(true, ["NO_COLOR": ""]).contains("\u{1B}["))
        for (isTerminal, environment) in [(false, [:]), (true, ["NO_COLOR": "1"]), (true, ["TERM": "dumb"])] {
            #expect(!text(isTerminal, environment).contains("\u{1B}"))
        }
    }

    @Test func `nothing in a payload or a name reaches the terminal as a control`() {
        let payload = report("{\"aps\":{\"alert\":\"hi\",\"\\u001b[2Jx\":1},\"\\u202ey\":2,\"\u{9B}z\":3}")
        let text = payload.text(file: "a\u{1B}]0;x\u{7}.json", withSizes: true, plain)
        for scalar in text.unicodeScalars {
            #expect(scalar == "\n" || scalar.properties.generalCategory != .control)
            #expect(scalar.value != 0x202E)
        }
        #expect(text.contains("\\u{1b}[2Jx"))
    }

    @Test func `the JSON has everything`() throws {
        var writer = JSONWriter()
        report("{\"aps\":{\"alert\":\"hi\",\n\"badge\":\"1\"}}").write(file: "g.json", to: &writer)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
        #expect(object["file"] as? String == "g.json")
        #expect(object["verdict"] as? String == "refused")
        #expect(object["status"] as? Int == 400)
        #expect(object["reason"] as? String == "BadRequestPayload")
        #expect(object["fix"] as? String == "Send badge as a JSON integer; 0 takes the badge away.")
        #expect(object["pushType"] as? String == "alert")
        #expect(object["fault"] is NSNull)
        let finding = try #require((object["findings"] as? [[String: Any]])?.first)
        #expect(Set(finding.keys).isSuperset(of: ["code", "severity", "path", "found", "expected", "fix", "source"]))
        #expect(finding["line"] as? Int == 2 && finding["column"] as? Int == 1)
        let sizes = try #require(object["sizes"] as? [String: Any])
        #expect(sizes["bytes"] as? Int == 35 && sizes["compactBytes"] as? Int == 34)
        #expect((sizes["keys"] as? [[String: Any]])?.first?["path"] as? String == "aps")
        var faulty = JSONWriter()
        report("{").write(file: "h.json", to: &faulty)
        let other = try #require(
            try JSONSerialization.jsonObject(with: Data(faulty.bytes)) as? [String: Any])
        #expect((other["fault"] as? [String: Any])?["column"] as? Int == 2)
    }

    @Test func `sums are counted`() {
        var summary = PayloadReportSummary()
        for payload in ["{}", #"{"aps":{"alert":"hi"}}"#, #"{"aps":{"alert":"hi"},"sound":"x"}"#] {
            summary.add(report(payload))
        }
        #expect(summary.hasRefused)
        #expect(summary.text(plain) == "3 files: 2 accepted, 1 refused; 1 error, 1 warning\n")
    }
}
