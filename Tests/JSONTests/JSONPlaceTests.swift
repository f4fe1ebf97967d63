import JSON
import Testing

/// Where values lie and how they are shown.
struct JSONPlaceTests {
    static let text = #"{"aps":{"alert":{"title":"T"}},"items":[{"sku":"A"},[1,2]],"a.b":{"c\\d":[true]},"":{"":0}}"#

    @Test func `the path to a value leads back to it`() throws {
        var document = JSONDocument()
        #expect(document.parse(Array(Self.text.utf8)) == nil)
        var paths: [String] = []
        func visit(_ element: JSONElement) {
            let path = document.path(to: element)
            paths.append(path)
            // The empty path is the root's, and so cannot lead to a member without a name.
            if !path.isEmpty { #expect(document.element(at: path) == element, "\(path)") }
            document.children(of: element).forEach(visit)
        }
        document.children(of: document.root).forEach(visit)
        #expect(document.path(to: document.root) == "")
        #expect(
            paths == [
                "aps", "aps.alert", "aps.alert.title", "items", "items.0", "items.0.sku", "items.1", "items.1.0",
                "items.1.1",
                #"a\.b"#, #"a\.b.c\\d"#, #"a\.b.c\\d.0"#, "", ".",
            ])
    }

    @Test func `a member's bytes include its name`() throws {
        let bytes = Array(#"xx{ "a" : [1] ,"b":"c"}"#.utf8)
        var document = JSONDocument()
        #expect(document.parse(bytes, in: 2..<bytes.count) == nil)
        let members = document.children(of: document.root)
        let written = members.map { String(decoding: bytes[document.memberRange($0)], as: UTF8.self) }
        #expect(written == [#""a" : [1]"#, #""b":"c""#])
        #expect(document.memberRange(document.root) == document.range(document.root))
        #expect(document.memberRange(document.children(of: members[0])[0]).count == 1)
        #expect(document.length == bytes.count - 2)
    }

    @Test func `long values are cut between characters`() throws {
        var document = JSONDocument()
        #expect(document.parse(Array(#""aéé""#.utf8)) == nil)
        #expect(document.written(document.root) == #""aéé""#)
        #expect(document.written(document.root, limit: 7) == #""aéé""#)
        #expect(document.written(document.root, limit: 6) == #""aéé…"#)
        #expect(document.written(document.root, limit: 5) == #""aé…"#)
        #expect(document.written(document.root, limit: 0) == "…")
    }

    @Test func `a byte is looked for inside strings only`() throws {
        var document = JSONDocument()
        #expect(document.parse(Array(#"["a%b","ab",["%"]]"#.utf8)) == nil)
        let items = document.children(of: document.root)
        #expect(items.map { document.hasByte(UInt8(ascii: "%"), inText: $0) } == [true, false, false])
        #expect(!document.hasByte(UInt8(ascii: "\""), inText: items[0]))
    }
}
