import JSON
import Testing

struct JSONNumberTests {
    func read<Value>(_ text: String, _ get: (JSONDocument, JSONElement) -> Value) throws -> Value {
        var document = JSONDocument()
        if let fault = document.parse(Array(text.utf8)) { throw fault }
        return get(document, document.root)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1.0", 1), ("1e2", 100), ("1E+2", 100), ("100e-2", 1),
            ("1.50e1", 15),
            ("0e99999999999999999999", 0), ("0.000e5", 0), ("9223372036854775807", .max),
            ("-9223372036854775808", .min),
            ("9223372036854775807.000", .max), ("922337203685477580.7e1", .max),
            ("10000000000000000000e-1", 1_000_000_000_000_000_000),
            ("1000000000000000000000000000000e-30", 1), ("0.0000000000000000000000000001e28", 1),
        ] as [(String, Int64)]) func `whole numbers are exact`(_ text: String, _ value: Int64) throws
    {
        #expect(try read(text) { $0.integer($1) } == value)
    }

    @Test(arguments: [
        "1.5", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e99999999999999999999",
        "1e-99999999999999999999", "18446744073709551616", "99999999999999999999999999", "0.1",
    ]) func `what is not whole or does not fit is nil`(_ text: String) throws {
        #expect(try read(text) { $0.integer($1) } == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("-12", -12), ("0.1", 0.1), ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("123456789012345678", 123_456_789_012_345_680),
            ("9007199254740993", 9007199254740992), ("0.75", 0.75), ("-1.5E2", -150),
        ] as [(String, Double)]) func `doubles are rounded correctly`(_ text: String, _ value: Double) throws
    {
        #expect(try read(text) { $0.double($1) } == value)
    }

    @Test func `negative zero keeps its sign`() throws {
        #expect(try read("-0") { $0.double($1) }?.sign == .minus)
        #expect(try read("-0.0") { $0.double($1) }?.sign == .minus)
    }

    @Test(arguments: ["1e309", "-1e999999999"]) func `what a Double cannot hold is nil`(_ text: String) throws {
        #expect(try read(text) { $0.double($1) } == nil)
    }
}
