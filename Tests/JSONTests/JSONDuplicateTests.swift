import JSON
import Testing

struct JSONDuplicateTests {
    func duplicates(_ text: String) throws -> [String] {
        var document = JSONDocument()
        if let fault = document.parse(Array(text.utf8)) { throw fault }
        return document.duplicates.map { document.key(of: $0) ?? "?" }
    }

    @Test func `none in ordinary objects`() throws {
        #expect(try duplicates(#"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}"#).isEmpty)
        #expect(try duplicates(#"[]"#).isEmpty)
        // The same first eight bytes and length.
        #expect(try duplicates(#"{"relevance-scorf":1,"relevance-score":1,"relevance_score":1}"#).isEmpty)
    }

    @Test func `every later member of a name is listed`() throws {
        #expect(try duplicates(#"{"a":1,"b":2,"a":{"a":3,"x":1,"x":2},"a":4}"#) == ["a", "x", "a"])
        #expect(try duplicates(#"{"":1,"":2}"#) == [""])
    }

    @Test func `escapes make no difference`() throws {
        #expect(try duplicates(#"{"aps":1,"\u0061ps":2}"#) == ["aps"])
        #expect(try duplicates(#"{"\u0061ps":1,"aps":2,"b":3}"#) == ["aps"])
        #expect(try duplicates(#"{"\u0061":1,"\u0062":2}"#).isEmpty)
        // Composed and decomposed letters are two names.
        #expect(try duplicates(#"{"\u00e9":1,"e\u0301":2}"#).isEmpty)
    }

    @Test func `objects of many members are compared too`() throws {
        for count in [15, 16, 17, 18, 100, 5000] {
            let names = (0..<count).map { "name-\($0)" }
            let members = names.map { "\"\($0)\":0" }.joined(separator: ",")
            #expect(try duplicates("{\(members)}").isEmpty)
            #expect(
                try duplicates("{\(members),\"name-3\":1,\"name-\(count - 1)\":1}") == ["name-3", "name-\(count - 1)"])
        }
    }

    @Test func `a second text starts afresh`() throws {
        var document = JSONDocument()
        #expect(document.parse(Array(#"{"a":1,"a":2}"#.utf8)) == nil)
        #expect(document.duplicates.count == 1)
        #expect(document.parse(Array(#"{"a":1,"b":2}"#.utf8)) == nil)
        #expect(document.duplicates.isEmpty)
    }
}
