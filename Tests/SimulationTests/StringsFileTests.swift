import Testing

@testable import Simulation

struct StringsFileTests {
    @Test func `keys and texts, with comments between`() throws {
        let text = """
            /* The title. */
            "TITLE" = "Order \\"%@\\"\\nshipped"; // and more
            BODY = "caf\\U00e9 ü";
            "TITLE2"="x" ;
            """
        let file = try StringsFile(Array(text.utf8))
        #expect(file.texts == ["TITLE": "Order \"%@\"\nshipped", "BODY": "café ü", "TITLE2": "x"])
        #expect(try StringsFile(Array("\u{FEFF}".utf8)).texts.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a byte order mark says UTF-16`(isLittleEndian: Bool) throws {
        let bytes = "\u{FEFF}KEY = \"ü 😀\";".utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isLittleEndian ? [low, high] : [high, low]
        }
        #expect(try StringsFile(bytes).texts == ["KEY": "ü 😀"])
        // Half a unit at the end is no trap.
        #expect(throws: StringsFile.Fault.self) { try StringsFile(Array(bytes.dropLast())) }
        #expect(try StringsFile(Array(bytes.prefix(2))).texts.isEmpty)
    }

    @Test(arguments: [
        (#""A" "B";"#, "line 1: expected a \"=\" behind the key"),
        ("\"A\" = \"B\"\n\"C\" = \"D\";", "line 2: expected a \";\" behind the text"),
        (#""A" = "B"#, "line 1: expected a quotation mark at the end of the text"),
        ("/* x", "line 1: expected \"*/\" at the end of a comment"),
        ("\"A\" =", "line 1: expected a text in quotation marks"),
        ("\"A\" = {", "line 1: expected a text in quotation marks"),
    ]) func `what is no strings file is refused with its line`(_ text: String, _ message: String) {
        #expect { try StringsFile(Array(text.utf8)) } throws: { "\($0)" == message }
    }

    @Test func `an icon is one of the pictures that browsers show`() {
        #expect(IconImage.url([0x89, 0x50, 0x4E, 0x47, 1]) == "data:image/png;base64,iVBORwE=")
        #expect(IconImage.url([0xFF, 0xD8, 0xFF, 0]) == "data:image/jpeg;base64,/9j/AA==")
        #expect(IconImage.url(Array("<svg>".utf8)) == nil)
        #expect(IconImage.url([]) == nil)
    }
}
