import JSON
import Testing

struct JSONFaultTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let offset: Int
        let message: String
        var testDescription: String { text.debugDescription }
        init(_ text: String, _ offset: Int, _ message: String) {
            self.text = text
            self.offset = offset
            self.message = message
        }
    }

    static let rows: [Row] = [
        Row("", 0, "there is nothing; a value was expected"),
        Row("  ", 2, "a value was expected, found the end"),
        Row(#"{"a":1 "b":2}"#, 7, #"a comma or } was expected after the member's value, found '"'"#),
        Row(#"{"a":1"#, 6, "a comma or } was expected after the member's value, found the end"),
        Row(#"{"a":1]"#, 6, "a comma or } was expected after the member's value, found ']'"),
        Row("[1 2]", 3, "a comma or ] was expected after the array's element, found '2'"),
        Row("[1}", 2, "a comma or ] was expected after the array's element, found '}'"),
        Row("[1,]", 3, "a value was expected after the comma, found ']'; JSON has no trailing commas"),
        Row("[,1]", 1, "a value or ] was expected after [, found ','"),
        Row("[1,,2]", 3, "a value was expected, found ','"),
        Row(
            #"{"a":1,}"#, 7,
            "a member's name in double quotes was expected after the comma, found '}'; JSON has no trailing commas"),
        Row("{a:1}", 1, "a member's name in double quotes or } was expected after {, found 'a'"),
        Row(
            "{// x\n}", 1, "a member's name in double quotes or } was expected after {, found '/'; JSON has no comments"
        ),
        Row(#"{"a" 1}"#, 5, "a colon was expected after the member's name, found '1'"),
        Row(#"{"a"}"#, 4, "a colon was expected after the member's name, found '}'"),
        Row(#"{"a":}"#, 5, "a value was expected, found '}'"),
        Row("{} x", 3, "only white space may follow the value, found 'x'"),
        Row("1é", 1, "only white space may follow the value, found 'é'"),
        Row("[True]", 1, "true is written in lower case, found 'True'"),
        Row("[None]", 1, "a value was expected, found 'None'; JSON's word is null"),
        Row("[NaN]", 1, "a number must be finite, found 'NaN'"),
        Row("[hello]", 1, "a value was expected, found 'hello'"),
        Row("['a']", 1, "strings are written in double quotes, found '''"),
        Row("[+1]", 1, "a number cannot begin with a plus sign"),
        Row("[.5]", 1, "a number cannot begin with its decimal point; write 0 before it"),
        Row("[01]", 1, "a number cannot begin with 0 and another digit, found '01]'"),
        Row("[-]", 2, "a digit was expected after the minus sign, found ']'"),
        Row("[1.]", 3, "a digit was expected after the decimal point, found ']'"),
        Row("[1e+]", 4, "a digit was expected in the exponent, found ']'"),
        Row("[/* x */1]", 1, "a value was expected, found '/'; JSON has no comments"),
        Row(#"["abc"#, 5, "the string that begins at line 1, column 2 is not closed"),
        Row(#"["abc\"]"#, 8, "the string that begins at line 1, column 2 is not closed"),
        Row("[\"a\nb\"]", 3, "the control character U+000A must be escaped in a string as \\n"),
        Row("[\"a\u{1}b\"]", 3, "the control character U+0001 must be escaped in a string as \\u0001"),
        Row(#"["\x"]"#, 2, #"'\x' is no escape of JSON's; a backslash itself is written '\\'"#),
        Row(#"["\u12G4"]"#, 2, #"\u must be followed by four hexadecimal digits, found '\u12G4'"#),
        Row(#"["\uD83Dx"]"#, 2, #"'\uD83D' is one half of a surrogate pair, and the other half is missing"#),
        Row("\u{FEFF}{}", 0, "a byte order mark is not allowed before JSON"),
        Row("[1\u{0}]", 2, "a comma or ] was expected after the array's element, found U+0000"),
        Row("[\u{7F}]", 1, "a value was expected, found U+007F"),
    ]

    @Test(arguments: rows) func `a fault names its place and what was expected`(_ row: Row) {
        var document = JSONDocument()
        let fault = document.parse(Array(row.text.utf8))
        #expect(fault?.message == row.message)
        #expect(fault?.offset == row.offset)
        #expect(!document.isValid)
    }

    @Test func `lines and columns count from one, in bytes`() {
        var document = JSONDocument()
        let fault = document.parse(Array("{\n  \"é\": 1,\r\n  \"ö\" 2}".utf8))
        #expect(fault?.line == 3)
        #expect(fault?.column == 8)
    }

    @Test(
        arguments: [
            ([0xC0, 0x80], "the string is not UTF-8: the byte 0xC0 can only begin an overlong form"),
            ([0xFF], "the string is not UTF-8: the byte 0xFF never occurs"),
            ([0x80], "the string is not UTF-8: the byte 0x80 cannot begin a character"),
            ([0xE0, 0x80, 0x80], "the string is not UTF-8: the bytes 0xE0 0x80 0x80 are no character"),
            ([0xED, 0xA0, 0x80], "the string is not UTF-8: the bytes 0xED 0xA0 0x80 are no character"),
            ([0xF4, 0x90, 0x80, 0x80], "the string is not UTF-8: the bytes 0xF4 0x90 0x80 0x80 are no character"),
            ([0xC3, 0x28], "the string is not UTF-8: the bytes 0xC3 0x28 are no character"),
        ] as [([UInt8], String)]) func `strings are UTF-8`(_ bytes: [UInt8], _ message: String)
    {
        var document = JSONDocument()
        let fault = document.parse([0x22, 0x61] + bytes + [0x22])
        #expect(fault?.offset == 2)
        #expect(fault?.message == message)
    }

    @Test func `the place is counted from the beginning of the range`() {
        var document = JSONDocument()
        let bytes = Array("xxx[1 2]yyy".utf8)
        #expect(document.parse(bytes, in: 3..<8)?.offset == 3)
        #expect(document.parse(Array("xxx[1,2]yyy".utf8), in: 3..<8) == nil)
        #expect(document.range(document.root) == 3..<8)
    }

    @Test func `depth is limited`() {
        var document = JSONDocument()
        let limit = JSONDocument.maximumDepth
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
        }
        #expect(document.parse(nested(limit)) == nil)
        let fault = document.parse(nested(limit + 1))
        #expect(fault?.message == "objects and arrays are nested more than 512 deep")
        #expect(fault?.offset == limit)
        // Siblings do not add up.
        #expect(document.parse(Array(("[" + String(repeating: "[],", count: 2000) + "{}]").utf8)) == nil)
    }

    @Test func `length is limited`() {
        var document = JSONDocument()
        let fault = document.parse([UInt8](repeating: 0x20, count: JSONDocument.maximumLength + 1))
        #expect(fault?.message == "it is longer than 268435456 bytes")
    }
}
