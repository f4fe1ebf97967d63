/// A time in a rule, as it was given: fixed, or so far from the moment at which it is looked at.
package enum RuleTime: Sendable, Equatable {
    /// Milliseconds since 1970.
    case at(Int64)
    /// So many milliseconds later; before when negative.
    case after(Int64)

    /// Reads a time of RFC 3339, or a duration with or without a sign; nil for anything else.
    init?(_ text: String) {
        if let difference = ClockSetting.difference(text) {
            self = .after(difference)
        } else if let time = ClockSetting.time(text) {
            self = .at(time)
        } else {
            return nil
        }
    }

    /// What to write, for messages.
    static let expected = #"a time (2026-01-15T09:30:00Z) or a duration with its sign ("-1h")"#

    /// The time, seen from `now`; both in milliseconds since 1970.
    func moment(from now: Int64) -> Int64 {
        switch self {
        case .at(let time): time
        case .after(let difference): now &+ difference
        }
    }
}
