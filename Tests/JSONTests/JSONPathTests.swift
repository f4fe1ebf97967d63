import JSON
import Testing

struct JSONPathTests {
    static let text = #"""
        {"aps":{"alert":{"title":"T"}},"items":[{"sku":"A"},{"sku":"B"}],
         "gcm.message_id":"m","a":{"b":{"c":1}},"a.b":{"d":2},"a.b.e":3,"x\\y":4,"0":"zero","":{"":5},
         "google.c":{"a.e":"1"},"twice":1,"twice":2}
        """#

    @Test(arguments: [
        ("aps.alert.title", #""T""#), ("items.0.sku", #""A""#), ("items.1", #"{"sku":"B"}"#),
        ("gcm.message_id", #""m""#),
        (#"gcm\.message_id"#, #""m""#), ("a.b.c", "1"), ("a.b.d", "2"), ("a.b.e", "3"), (#"a\.b.d"#, "2"),
        (#"x\\y"#, "4"),
        (#"x\y"#, "4"), ("0", #""zero""#), (".", "5"), ("google.c.a.e", #""1""#), ("twice", "1"),
    ]) func `a path leads to its value`(_ path: String, _ written: String) throws {
        let bytes = Array(Self.text.utf8)
        var document = JSONDocument()
        #expect(document.parse(bytes) == nil)
        let element = try #require(document.element(at: path))
        #expect(String(decoding: bytes[document.range(element)], as: UTF8.self) == written)
    }

    @Test(arguments: [
        "aps.alert.body", "aps.alert.title.x", "items.2", "items.-1", "items.+1", "items.x", "items.", "aps.", ".aps",
        "aps..alert", #"a\.b.c"#, "items.99999999999999999999",
    ]) func `a path to nothing is nil`(_ path: String) {
        var document = JSONDocument()
        #expect(document.parse(Array(Self.text.utf8)) == nil)
        #expect(document.element(at: path) == nil)
    }
}
