import APNs
import JSON
import Testing

struct PayloadFactsTests {
    /// Title, subtitle, body, badge, sound, thread as they are written, and whether the push is silent.
    private func shown(_ payload: String) -> [String] {
        // Something before, as a request has headers before its body.
        let bytes = Array(("head" + payload).utf8)
        var document = JSONDocument()
        _ = document.parse(bytes, in: 4..<bytes.count)
        let facts = PayloadFacts(document)
        compareNoted(facts, document)
        let places = [facts.title, facts.subtitle, facts.body, facts.badge, facts.sound, facts.thread]
        return places.map { String(decoding: bytes[$0.range], as: UTF8.self) } + [facts.isSilent ? "silent" : "shown"]
    }

    /// What the rules note on their way is the same, wherever they note.
    private func compareNoted(_ facts: PayloadFacts, _ document: JSONDocument) {
        guard document.isValid, document.kind(document.root) == .object else { return }
        for type in PushType.allCases {
            var noted = PayloadFacts()
            _ = PayloadRules.examine(document, PayloadRules.Context(pushType: type), &noted)
            #expect((noted.form == .unknown) == (type == .mdm || document.hasDuplicates))
            if noted.form != .unknown { #expect(noted == facts, "\(type)") }
        }
    }

    @Test(arguments: PayloadVector.all) func `facts noted on the way are those of the payload`(_ vector: PayloadVector)
    {
        let (document, _) = vector.judged()
        compareNoted(PayloadFacts(document), document)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"Hi"}}"#, ["", "", #""Hi""#, "", "", "", "shown"]),
        (
            #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":"s","thread-id":"t"}}"#,
            [#""T""#, #""S""#, #""B""#, "3", #""s""#, #""t""#, "shown"]
        ),
        (
            #"{"x":1,"aps":{"sound":{"critical":1,"name":"a.caf","volume":1}}}"#,
            ["", "", "", "", #""a.caf""#, "", "shown"]
        ),
        (#"{"aps":{"content-available":1}}"#, ["", "", "", "", "", "", "silent"]),
        (#"{"aps":{"content-available":true}}"#, ["", "", "", "", "", "", "silent"]),
        (#"{"aps":{"content-available":0}}"#, ["", "", "", "", "", "", "shown"]),
        (#"{"aps":{"content-available":1,"badge":0}}"#, ["", "", "", "0", "", "", "shown"]),
        (#"{"aps":{"alert":{"title":7,"body":null},"thread-id":[],"sound":1}}"#, ["", "", "", "", "", "", "shown"]),
        (#"{"aps":{"badge":1,"badge":2,"alert":"a","alert":"b"}}"#, ["", "", #""a""#, "1", "", "", "shown"]),
        (#"{"aps":{"alert":{"title":"a","title":"b"}}}"#, [#""a""#, "", "", "", "", "", "shown"]),
        (#"{"aps":[]}"#, ["", "", "", "", "", "", "shown"]),
        (#"{"alert":"no"}"#, ["", "", "", "", "", "", "shown"]),
        ("7", ["", "", "", "", "", "", "shown"]),
        ("{", ["", "", "", "", "", "", "shown"]),
    ])
    func `what a phone shows is found`(payload: String, places: [String]) {
        #expect(shown(payload) == places)
    }

    @Test func `the form says whether the payload is JSON`() {
        var document = JSONDocument()
        #expect(PayloadFacts().form == .unknown)
        #expect(PayloadFacts(document).form == .other)
        _ = document.parse(Array("[]".utf8))
        #expect(PayloadFacts(document).form == .json)
        _ = document.parse(Array("[".utf8))
        #expect(PayloadFacts(document).form == .other)
    }
}
