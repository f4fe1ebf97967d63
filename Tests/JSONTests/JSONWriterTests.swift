import Foundation
import JSON
import Testing

struct JSONWriterTests {
    func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `commas go where they belong`() {
        let text = written {
            $0.beginObject()
            $0.key("a")
            $0.integer(1)
            $0.key(dynamic: "b\"")
            $0.beginArray()
            $0.string("x")
            $0.string(constant: "y")
            $0.null()
            $0.boolean(true)
            $0.boolean(false)
            $0.double(1.5)
            $0.beginObject()
            $0.endObject()
            $0.beginArray()
            $0.endArray()
            $0.raw(Array("{\"r\":1}".utf8))
            $0.integer(2)
            $0.endArray()
            $0.key("c")
            $0.beginObject()
            $0.key("d")
            $0.null()
            $0.endObject()
            $0.key("e")
            $0.string("")
            $0.key("f")
            $0.string(":[{,")
            $0.key("g")
            $0.boolean(true)
            $0.endObject()
        }
        #expect(
            text
                == #"{"a":1,"b\"":["x","y",null,true,false,1.5,{},[],{"r":1},2],"c":{"d":null},"e":"","f":":[{,","g":true}"#
        )
    }

    @Test func `lines may follow each other`() {
        var writer = JSONWriter(Array("head\n".utf8))
        for number in 1...2 {
            writer.beginObject()
            writer.key("n")
            writer.integer(number)
            writer.endObject()
            writer.bytes.append(UInt8(ascii: "\n"))
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "head\n{\"n\":1}\n{\"n\":2}\n")
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("\"", "\\\""), ("\\", "\\\\"), ("/", "/"),
        ("\n\r\t\u{8}\u{C}", "\\n\\r\\t\\b\\f"),
        ("\u{0}\u{1F}\u{1}", "\\u0000\\u001f\\u0001"), ("é€😀", "é€😀"), ("\u{2028}\u{7F}", "\u{2028}\u{7F}"),
        ("12345678\"", "12345678\\\""), ("1234567\n12345678", "1234567\\n12345678"),
    ]) func `strings are escaped as little as possible`(_ value: String, _ inside: String) {
        #expect(written { $0.string(value) } == "\"\(inside)\"")
        #expect(written { $0.string(utf8: Array(value.utf8)) } == "\"\(inside)\"")
    }

    @Test(
        arguments: [
            ([0xFF], "\u{FFFD}"), ([0x61, 0xC3], "a\u{FFFD}"), ([0xC3, 0x28], "\u{FFFD}("),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xC3, 0xA9, 0x80, 0x0A], "é\u{FFFD}\\n"),
        ] as [([UInt8], String)]) func `bytes that are not UTF-8 are replaced`(_ bytes: [UInt8], _ inside: String)
    {
        #expect(written { $0.string(utf8: bytes) } == "\"\(inside)\"")
    }

    @Test func `strings of any length and alignment survive`() throws {
        for length in 0...80 {
            for place in stride(from: 0, to: length, by: 1) {
                var bytes = Array("abcdefghij".utf8).shuffledRepeat(length)
                bytes[place] = UInt8(ascii: "\"")
                let value = String(decoding: bytes, as: UTF8.self)
                let text = written { $0.string(value) }
                #expect(try JSONDecoder().decode(String.self, from: Data(text.utf8)) == value)
            }
            let clean = String(decoding: Array("abcdefghij".utf8).shuffledRepeat(length), as: UTF8.self)
            #expect(written { $0.string(clean) } == "\"\(clean)\"")
        }
    }

    @Test func `strings that are not stored as UTF-8 are written too`() {
        let value = "Ordner \u{1F4C1}"
        #expect(written { $0.string(String(NSString(string: value))) } == "\"\(value)\"")
    }

    @Test func `whole numbers of every width`() {
        for value: Int64 in [0, 1, 9, 10, 99, 12345, 99_999, 100_000, -1, -10, .max, .min, 9_999_999_999] {
            #expect(written { $0.integer(value) } == "\(value)")
        }
        var power: UInt64 = 1
        for _ in 0..<20 {
            #expect(written { $0.integer(power) } == "\(power)")
            #expect(written { $0.integer(power - 1) } == "\(power - 1)")
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
        #expect(written { $0.integer(UInt8(255)) } == "255")
        #expect(written { $0.integer(Int16(-300)) } == "-300")
        #expect(written { $0.integer(Int128(Int64.max) + 1) } == "9223372036854775808")
        #expect(written { $0.integer(Int128(Int64.min) - 1) } == "-9223372036854775809")
    }

    @Test func `doubles are valid JSON or null`() {
        #expect(written { $0.double(0.1) } == "0.1")
        #expect(written { $0.double(1e300) } == "1e+300")
        #expect(written { $0.double(.nan) } == "null")
        #expect(written { $0.double(-.infinity) } == "null")
        #expect(written { $0.double(Double?.none) } == "null")
    }

    @Test func `raw values stay on one line`() {
        let text = written {
            $0.beginArray()
            $0.raw(Array(" {\n  \"a\": 1,\r\n\t\"b\": \"x\\ny\"\n}\n".utf8))
            $0.raw(Array("".utf8))
            $0.raw(Array("[1]".utf8), in: 1..<2)
            $0.endArray()
        }
        #expect(text == "[{   \"a\": 1,  \t\"b\": \"x\\ny\" },null,1]")
    }

    @Test func `absent values are null`() {
        let text = written {
            $0.beginArray()
            $0.string(String?.none)
            $0.string(String?.some("s"))
            $0.string(constant: StaticString?.none)
            $0.integer(Int?.none)
            $0.integer(UInt16?.some(7))
            $0.boolean(Bool?.none)
            $0.time(millisecondsSince1970: Int64?.none)
            $0.endArray()
        }
        #expect(text == #"[null,"s",null,null,7,null,null]"#)
    }

    @Test(
        arguments: [
            (1_768_469_400_123, "2026-01-15T09:30:00.123Z"), (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]) func `times are RFC 3339 in UTC`(_ milliseconds: Int64, _ text: String)
    {
        #expect(written { $0.time(millisecondsSince1970: milliseconds) } == "\"\(text)\"")
    }

    @Test func `times agree with Foundation since the Gregorian calendar began`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: Int64(-130_000), to: 400_000, by: 61) {
            let milliseconds = day * 86_400_000 + 3_723_500
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            #expect(written { $0.time(millisecondsSince1970: milliseconds) } == "\"\(date.formatted(style))\"")
        }
    }

    @Test(arguments: [-62_167_219_200_001, 253_402_300_800_000, Int64.min, .max])
    func `times beyond four-digit years are null`(_ milliseconds: Int64) {
        #expect(written { $0.time(millisecondsSince1970: milliseconds) } == "null")
    }
}

extension [UInt8] {
    /// These bytes over and over, `length` of them.
    fileprivate func shuffledRepeat(_ length: Int) -> [UInt8] { (0..<length).map { self[$0 * 7 % count] } }
}
