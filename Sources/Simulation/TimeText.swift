/// Times in the form of RFC 3339, UTC, with milliseconds: `2026-01-15T09:30:00.123Z`.
///
/// The text of the last second is kept, since many lines are written within one.
struct TimeText {
    /// The text up to the second, without the fraction.
    private var text = [UInt8](repeating: 0, count: 19)
    private var second = Int64.min

    /// The first and the last second that RFC 3339 can write, with its four digits for the year.
    static let seconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Adds a moment, in milliseconds since 1970, as a JSON string; a moment outside of the years 0 to 9999 becomes the
    /// nearest one inside.
    mutating func write(_ milliseconds: Int64, to buffer: inout LineBuffer) {
        let limits = Self.seconds
        let clamped = min(max(milliseconds, limits.lowerBound * 1000), limits.upperBound * 1000 + 999)
        var whole = clamped / 1000
        var rest = clamped % 1000
        if rest < 0 {
            whole -= 1
            rest += 1000
        }
        if whole != second { render(whole) }
        buffer.append("\"")
        buffer.append(text)
        buffer.append(".")
        buffer.append(Int(rest), digits: 3)
        buffer.append("Z\"")
    }

    /// A moment as a text for people, to the second: `2026-01-15T09:30:00Z`.
    static func text(seconds: Int64) -> String {
        var time = TimeText()
        time.render(min(max(seconds, Self.seconds.lowerBound), Self.seconds.upperBound))
        return String(decoding: time.text, as: UTF8.self) + "Z"
    }

    private mutating func render(_ second: Int64) {
        self.second = second
        // Days to a date of the Gregorian calendar, counted in eras of 400 years that begin on 1 March.
        var days = second / 86_400
        var rest = second % 86_400
        if rest < 0 {
            days -= 1
            rest += 86_400
        }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        write(year, at: 0, digits: 4)
        text[4] = UInt8(ascii: "-")
        write(month < 10 ? month + 3 : month - 9, at: 5, digits: 2)
        text[7] = UInt8(ascii: "-")
        write(dayOfYear - (153 * month + 2) / 5 + 1, at: 8, digits: 2)
        text[10] = UInt8(ascii: "T")
        write(rest / 3600, at: 11, digits: 2)
        text[13] = UInt8(ascii: ":")
        write(rest / 60 % 60, at: 14, digits: 2)
        text[16] = UInt8(ascii: ":")
        write(rest % 60, at: 17, digits: 2)
    }

    private mutating func write(_ value: Int64, at place: Int, digits: Int) {
        var rest = value
        for offset in (0..<digits).reversed() {
            text[place + offset] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        }
    }
}
