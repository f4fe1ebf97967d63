import JSON
import Testing

struct JSONDocumentTests {
    func document(_ text: String) throws -> JSONDocument {
        var document = JSONDocument()
        if let fault = document.parse(Array(text.utf8)) { throw fault }
        return document
    }

    @Test func `every kind is told`() throws {
        let document = try document(#"[{}, [], "s", 1, -1.5e3, true, false, null]"#)
        let kinds = document.children(of: document.root).map(document.kind)
        #expect(kinds == [.object, .array, .string, .number, .number, .boolean, .boolean, .null])
        #expect(document.kind(document.root) == .array)
        #expect(document.count(of: document.root) == 8)
    }

    @Test func `ranges are the bytes as written`() throws {
        let text = #" {"a" : [ 1 , "x\"y" ] , "b":{"c":null}} "#
        let bytes = Array(text.utf8)
        let document = try document(text)
        func written(_ path: String) -> String? {
            document.element(at: path).map { String(decoding: bytes[document.range($0)], as: UTF8.self) }
        }
        #expect(written("a") == #"[ 1 , "x\"y" ]"#)
        #expect(written("a.0") == "1")
        #expect(written("a.1") == #""x\"y""#)
        #expect(written("b") == #"{"c":null}"#)
        #expect(written("b.c") == "null")
        #expect(written("") == text.trimmingPrefix(" ").dropLast().description)
    }

    @Test func `members are found by name, escaped or not`() throws {
        let document = try document(#"{"other":{"aps":0},"\u0061ps":1,"":2,"é":3,"a\/b":4,"aps":5}"#)
        func value(_ element: JSONElement?) -> Int64? { element.flatMap(document.integer) }
        #expect(value(document.member("aps", of: document.root)) == 1)
        #expect(value(document.member(named: "aps", of: document.root)) == 1)
        #expect(value(document.member(named: "", of: document.root)) == 2)
        #expect(value(document.member(named: "é", of: document.root)) == 3)
        #expect(value(document.member(named: "a/b", of: document.root)) == 4)
        #expect(value(document.member(named: "xaps".dropFirst(), of: document.root)) == 1)
        #expect(document.member("ap", of: document.root) == nil)
        #expect(document.member("apsx", of: document.root) == nil)
        #expect(document.children(of: document.root).map(document.key) == ["other", "aps", "", "é", "a/b", "aps"])
        #expect(document.key(of: document.root) == nil)
    }

    @Test func `only objects have members`() throws {
        let document = try document(#"[{"a":1}]"#)
        #expect(document.member("a", of: document.root) == nil)
        #expect(document.key(of: document.children(of: document.root)[0]) == nil)
        #expect(document.children(of: try #require(document.element(at: "0.a"))).isEmpty)
    }

    @Test func `walking gives the same values as children`() throws {
        let document = try document(#"{"a":[1,[2,{"b":3}],{}],"c":{"d":{"e":[]}},"f":0}"#)
        func walk(_ element: JSONElement) -> Int {
            var walked: [JSONElement] = []
            var next = document.firstChild(of: element)
            while let child = next {
                #expect(document.parent(of: child) == element)
                walked.append(child)
                next = document.next(after: child)
            }
            #expect(walked == document.children(of: element))
            #expect(walked.count == document.count(of: element))
            return 1 + walked.map(walk).reduce(0, +)
        }
        #expect(walk(document.root) == 12)
        #expect(document.parent(of: document.root) == nil)
        #expect(document.next(after: document.root) == nil)
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""""#, ""), (#""é😀""#, "é😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""x\uD83D\uDE00y""#, "x😀y"), (#""\u0000""#, "\u{0}"),
        (#""\udbff\udfff""#, "\u{10FFFF}"), (#""longer than eight \n bytes""#, "longer than eight \n bytes"),
    ]) func `strings are unescaped`(_ text: String, _ value: String) throws {
        let document = try document(text)
        #expect(document.string(document.root)?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
    }

    @Test func `values of other kinds are nil`() throws {
        let document = try document(#"["1", 1, true]"#)
        let items = document.children(of: document.root)
        #expect(document.string(items[1]) == nil && document.string(items[2]) == nil)
        #expect(document.double(items[0]) == nil && document.integer(items[2]) == nil)
        #expect(document.boolean(items[2]) == true && document.boolean(items[1]) == nil)
    }

    @Test func `a document is used again`() throws {
        var document = JSONDocument()
        #expect(!document.isValid)
        #expect(document.kind(document.root) == .null)
        #expect(document.parse(Array(#"{"a":{"b":[1,2,3]}}"#.utf8)) == nil)
        let old = try #require(document.element(at: "a.b.2"))
        #expect(document.parse(Array("[7]".utf8)) == nil)
        #expect(document.element(at: "0").flatMap(document.integer) == 7)
        #expect(document.element(at: "a") == nil)
        #expect(document.kind(old) == .null)
        #expect(document.parse(Array("[".utf8)) != nil)
        #expect(!document.isValid)
        #expect(document.element(at: "") == nil)
        #expect(document.children(of: document.root).isEmpty)
    }

    @Test func `texts with very many values fit`() throws {
        for text in [
            "[" + String(repeating: "1,", count: 5000) + "1]",
            String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        ] {
            var document = JSONDocument()
            #expect(document.parse(Array(text.utf8)) == nil)
            #expect(document.count(of: document.root) == (text.hasPrefix("[1") ? 5001 : 1))
        }
    }
}
