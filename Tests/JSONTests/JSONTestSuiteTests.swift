import JSON
import TestFixtures
import Testing

/// The JSON test suite of Nicolas Seriot (Tests/Vectors/json-test-suite, MIT licence).
struct JSONTestSuiteTests {
    static let folder = "json-test-suite/test_parsing"

    static func names(_ prefix: String) throws -> [String] {
        try Vectors.names(in: folder).filter { $0.hasPrefix(prefix) }
    }

    func fault(_ name: String) throws -> JSONFault? {
        var document = JSONDocument()
        return document.parse(try Vectors.bytes("\(Self.folder)/\(name)"))
    }

    @Test func `the suite is complete`() throws {
        #expect(try Self.names("y_").count == 95)
        #expect(try Self.names("n_").count == 188)
        #expect(try Self.names("i_").sorted() == Self.decisions.keys.sorted())
    }

    @Test(arguments: try names("y_")) func `what must be accepted is accepted`(_ name: String) throws {
        #expect(try fault(name) == nil)
    }

    @Test(arguments: try names("n_")) func `what must be refused is refused, with a place`(_ name: String) throws {
        let length = try Vectors.bytes("\(Self.folder)/\(name)").count
        let fault = try #require(try fault(name))
        #expect((0...length).contains(fault.offset))
        #expect(fault.line >= 1 && fault.column >= 1)
        #expect(!fault.message.isEmpty)
    }

    @Test(arguments: try names("i_")) func `what is left open is decided`(_ name: String) throws {
        #expect(try (fault(name) == nil) == Self.decisions[name])
    }

    /// What RFC 8259 leaves open: true is accepted.
    static let decisions: [String: Bool] = [
        // Any number by the grammar is JSON; whether a Double or an Int64 can hold it is asked when it is read.
        "i_number_double_huge_neg_exp.json": true,
        "i_number_huge_exp.json": true,
        "i_number_neg_int_huge_exp.json": true,
        "i_number_pos_double_huge_exp.json": true,
        "i_number_real_neg_overflow.json": true,
        "i_number_real_pos_overflow.json": true,
        "i_number_real_underflow.json": true,
        "i_number_too_big_neg_int.json": true,
        "i_number_too_big_pos_int.json": true,
        "i_number_very_big_negative_int.json": true,
        // Half a surrogate pair is no character, and no two receivers read it alike.
        "i_object_key_lone_2nd_surrogate.json": false,
        "i_string_1st_surrogate_but_2nd_missing.json": false,
        "i_string_1st_valid_surrogate_2nd_invalid.json": false,
        "i_string_incomplete_surrogate_and_escape_valid.json": false,
        "i_string_incomplete_surrogate_pair.json": false,
        "i_string_incomplete_surrogates_escape_valid.json": false,
        "i_string_invalid_lonely_surrogate.json": false,
        "i_string_invalid_surrogate.json": false,
        "i_string_inverted_surrogates_U+1D11E.json": false,
        "i_string_lone_second_surrogate.json": false,
        // JSON between systems is UTF-8, and valid (RFC 8259, section 8.1).
        "i_string_UTF-16LE_with_BOM.json": false,
        "i_string_UTF-8_invalid_sequence.json": false,
        "i_string_UTF8_surrogate_U+D800.json": false,
        "i_string_invalid_utf-8.json": false,
        "i_string_iso_latin_1.json": false,
        "i_string_lone_utf8_continuation_byte.json": false,
        "i_string_not_in_unicode_range.json": false,
        "i_string_overlong_sequence_2_bytes.json": false,
        "i_string_overlong_sequence_6_bytes.json": false,
        "i_string_overlong_sequence_6_bytes_null.json": false,
        "i_string_truncated-utf-8.json": false,
        "i_string_utf16BE_no_BOM.json": false,
        "i_string_utf16LE_no_BOM.json": false,
        "i_structure_UTF-8_BOM_empty_object.json": false,
        // Foundation on the device reads 512 levels.
        "i_structure_500_nested_arrays.json": true,
    ]
}
