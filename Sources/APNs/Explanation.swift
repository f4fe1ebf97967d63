/// Times and durations in the words of explanations.
package enum Explanation {
    /// "61 min 04 s", "3 h 02 min", "12 d 04 h", "17 s".
    package static func duration(seconds: Int64) -> String {
        let total = seconds.magnitude
        let (minutes, rest) = (total / 60, total % 60)
        if total < 60 { return "\(rest) s" }
        if minutes < 100 { return "\(minutes) min \(twoDigits(rest)) s" }
        let hours = minutes / 60
        if hours < 48 { return "\(hours) h \(twoDigits(minutes % 60)) min" }
        return "\(hours / 24) d \(twoDigits(hours % 24)) h"
    }

    /// The time of day of some seconds since 1970: "09:30:00Z".
    package static func timeOfDay(seconds: Int64) -> String {
        let day = UInt64(((seconds % 86_400) + 86_400) % 86_400)
        return "\(twoDigits(day / 3600)):\(twoDigits(day / 60 % 60)):\(twoDigits(day % 60))Z"
    }

    private static func twoDigits(_ number: UInt64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
