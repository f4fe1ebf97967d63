import JSON

/// Times in the form of RFC 3339, UTC, with milliseconds: `2026-01-15T09:30:00.123Z`.
///
/// The text of the last second is kept, since many lines are written within one.
struct TimeText {
    /// The text of the last second as JSON; only its milliseconds are written anew.
    private var text: [UInt8] = []
    private var second = Int64.min

    /// Where the milliseconds stand in the text.
    private static let fraction = 21

    /// Adds a moment, in milliseconds since 1970, as a JSON string; `null` outside of the years 0 to 9999, which the form
    /// cannot write.
    mutating func write(_ milliseconds: Int64, to buffer: inout LineBuffer) {
        var whole = milliseconds / 1000
        var rest = milliseconds % 1000
        if rest < 0 {
            whole -= 1
            rest += 1000
        }
        if whole != second {
            second = whole
            var writer = JSONWriter()
            writer.time(millisecondsSince1970: whole * 1000)
            text = writer.bytes
        }
        if text.count > Self.fraction + 3 {
            text[Self.fraction] = UInt8(truncatingIfNeeded: 48 + rest / 100)
            text[Self.fraction + 1] = UInt8(truncatingIfNeeded: 48 + rest / 10 % 10)
            text[Self.fraction + 2] = UInt8(truncatingIfNeeded: 48 + rest % 10)
        }
        buffer.append(text)
    }

    /// A moment as a text for people, to the second: `2026-01-15T09:30:00Z`.
    static func text(seconds: Int64) -> String {
        // Beyond these seconds there are no milliseconds in an Int64, let alone years that can be written.
        guard seconds.magnitude < 1 << 50 else { return "a time that no calendar has" }
        var writer = JSONWriter()
        writer.time(millisecondsSince1970: seconds * 1000)
        guard writer.bytes.count > fraction else { return "a time that no calendar has" }
        return String(decoding: writer.bytes[1..<fraction - 1], as: UTF8.self) + "Z"
    }
}
