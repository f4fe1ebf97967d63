import APNs
import Testing

@testable import Simulation

/// Searching by words.
struct SearchWordTests {
    private static func word(_ value: String, key: String? = nil, negated: Bool = false) -> SearchWord {
        SearchWord(isNegated: negated, key: key, value: value)
    }

    @Test(arguments: [
        ("", []), ("  ", []), ("a", [word("a")]), (" a  b ", [word("a"), word("b")]),
        (#"title:"your order" x"#, [word("your order", key: "title"), word("x")]),
        ("!is:rejected", [word("rejected", key: "is", negated: true)]), ("-x", [word("x", negated: true)]),
        (#""a:b""#, [word("a:b")]), ("a:b:c", [word("b:c", key: "a")]), (":a", [word(":a")]),
        ("a:", [word("", key: "a")]),
        ("a-b!c", [word("a-b!c")]), (#"!"a b""#, [word("a b", negated: true)]), (#""""#, [word("")]),
    ])
    func `words are split at blanks outside of quotes`(text: String, words: [SearchWord]) {
        #expect(SearchWord.split(text) == words)
    }

    @Test func `a quote that is not closed is refused`() {
        #expect(SearchWord.split(#"a "b"#) == nil)
        #expect(throws: MatcherError.self) {
            var matcher = Matcher()
            try matcher.search(#"title:"x"#)
        }
    }

    @Test(arguments: [
        ("shipped", true), ("SHIP order", true), ("ship*", false), ("badge", false), ("title:ship", true),
        ("title:order", false),
        ("body:order", true), ("subtitle:x", false), ("is:accepted", true), ("!is:accepted", false),
        ("is:silent", false), ("has:badge", true), ("has:category", false), ("!has:category", true),
        ("has:attachment-url", false), ("larger:90", true), ("larger:1k", false), ("smaller:1k", true),
        ("finding:L006", true), ("finding:l006", true), ("finding:L007", false),
        ("device:6f1e*", true), ("type:alert,voip", true), ("aps.badge:1", true), ("since:2020-01-01T00:00:00Z", true),
        ("title:ship body:order has:sound", true), ("title:ship body:nothing", false),
    ])
    func `words choose`(text: String, isMeant: Bool) throws {
        var content = JournalFixture.content()
        content.findings = [
            Finding(
                FindingCode("L006", .warning, expected: "", fix: "", source: ""), message: "no apns-push-type header")
        ]
        var matcher = Matcher()
        try matcher.search(text)
        #expect(matcher.matches(JournalEntry(content)) == isMeant)
        #expect(matcher.description.map(\.field) == ["q"])
    }

    @Test(arguments: [
        #"{"aps":{"alert":"x"},"image":"https://example.com/a.png"}"#, #"{"a":["http:\/\/example.com"]}"#,
    ])
    func `a payload with a URL has an attachment`(payload: String) throws {
        var matcher = Matcher()
        try matcher.search("has:attachment-url")
        #expect(matcher.matches(JournalFixture.entry(payload: payload)))
        #expect(!matcher.matches(JournalFixture.entry(payload: #"{"aps":{"alert":"see http: //x"}}"#)))
    }

    @Test func `an alert that is an object is no text`() throws {
        var matcher = Matcher()
        try matcher.search("title")
        #expect(!matcher.matches(JournalFixture.entry()))
        #expect(matcher.matches(JournalFixture.entry(payload: #"{"aps":{"alert":"the title"}}"#)))
    }

    @Test(arguments: [
        ("titel:x", "title"), ("is:acepted", "accepted"), ("has:bagde", "badge"), ("larger:big", nil), ("is:", nil),
        ("topc:x", "topic"), ("type:alrt", "alert"), ("zzzzzz:x", nil),
    ])
    func `what is not understood is refused with the nearest known word`(text: String, suggestion: String?) {
        var matcher = Matcher()
        do throws(MatcherError) {
            try matcher.search(text)
            Issue.record("accepted")
        } catch {
            #expect(error.suggestion == suggestion)
            #expect(matcher.description.isEmpty)
        }
    }
}
