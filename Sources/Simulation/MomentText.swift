#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A moment as people give it: a time of RFC 3339, or how long ago.
enum MomentText {
    /// Milliseconds since 1970; nil when the text is neither a time nor a duration.
    static func read(_ text: String, now: Int64) -> Int64? {
        if let duration = duration(text) { return now - duration }
        return time(Array(text.utf8))
    }

    /// The machine's time in milliseconds since 1970.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds in `250ms`, `30s`, `2m`, `1h`, `2d`, or a number of milliseconds.
    static func duration(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factors: [Substring: Int64] = ["": 1, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let value = Int64(digits), let factor = factors[text[digits.endIndex...]] else { return nil }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// `2026-01-15T09:30:00.123Z`, with or without a fraction, with `Z` or an offset.
    static func time(_ text: [UInt8]) -> Int64? {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10]),
            let hour = number(text[11..<13]), let minute = number(text[14..<16]), let second = number(text[17..<19]),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = text[19...]
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !fraction.isEmpty else { return nil }
            for place in 0..<3 {
                let digit = place < fraction.count ? Int64(fraction[fraction.startIndex + place]) - 48 : 0
                milliseconds = milliseconds * 10 + digit
            }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = offset(Array(rest)) else { return nil }
        // Days since 1970 of the Gregorian calendar, in years that begin on 1 March.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milliseconds - offset
    }

    /// Milliseconds of `Z` or `+02:00`.
    private static func offset(_ text: [UInt8]) -> Int64? {
        if text.count == 1, text[0] | 0x20 == UInt8(ascii: "z") { return 0 }
        guard text.count == 6, text[3] == UInt8(ascii: ":"), let hours = number(text[1..<3]),
            let minutes = number(text[4..<6]), hours < 24, minutes < 60
        else { return nil }
        let value = (hours * 60 + minutes) * 60_000
        switch text[0] {
        case UInt8(ascii: "+"), UInt8(ascii: " "): return value  // A plus in a query that was not escaped is a blank.
        case UInt8(ascii: "-"): return -value
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.allSatisfy { (48...57).contains($0) } ? digits.reduce(0) { $0 * 10 + Int64($1) - 48 } : nil
    }
}
