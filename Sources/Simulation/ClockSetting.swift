/// How the server's clock relates to the machine's, as people write it.
package enum ClockSetting: Sendable, Equatable {
    /// The machine's time.
    case real
    /// So many milliseconds ahead of the machine's time; behind it when negative.
    case offset(Int64)
    /// Stopped at some milliseconds since 1970.
    case frozen(Int64)

    /// What to write, for messages.
    package static let expected =
        "`real`, a time to stand still at (2026-01-01T00:00:00Z), or a difference (+2h, -30m)"

    /// Reads "real", a time of RFC 3339, or a difference with its sign; nil for anything else.
    package init?(_ text: String) {
        if text == "real" {
            self = .real
        } else if text.hasPrefix("+") || text.hasPrefix("-") {
            guard let difference = Self.difference(text) else { return nil }
            self = difference == 0 ? .real : .offset(difference)
        } else {
            guard let time = Self.time(text) else { return nil }
            self = .frozen(time)
        }
    }

    /// Milliseconds of a duration that may have a sign: "61m", "+2h", "-250ms"; nil for anything else and for more than
    /// ``differenceLimit``.
    package static func difference(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard let duration = MomentText.duration(digits), duration <= differenceLimit else { return nil }
        return isNegative ? -duration : duration
    }

    /// Milliseconds since 1970 of a time of RFC 3339; nil for anything else and for times that the clock cannot show.
    package static func time(_ text: String) -> Int64? {
        guard let time = MomentText.time(Array(text.utf8)), range.contains(time) else { return nil }
        return time
    }

    /// The longest difference, a hundred years in milliseconds.
    package static let differenceLimit: Int64 = 36_525 * 86_400_000
    /// The times that the clock can show: the years 1970 to 9999, in milliseconds since 1970.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999
}
