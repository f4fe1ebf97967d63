/// How many pushes a device token may get within a time: what APNs calls too many requests, with numbers of one's own.
package struct DeviceRate: Sendable, Equatable {
    package let count: Int
    package let milliseconds: Int64

    /// The largest number of pushes.
    package static let countLimit = 1_000_000
    /// The longest time, a day in milliseconds.
    package static let intervalLimit: Int64 = 86_400_000
    /// What to write, for messages.
    package static let expected = "a number of pushes and a duration such as 5/1m, or off"

    /// So many pushes within so many milliseconds, both at least 1.
    package init(count: Int, milliseconds: Int64) {
        self.count = min(max(1, count), Self.countLimit)
        self.milliseconds = min(max(1, milliseconds), Self.intervalLimit)
    }

    /// Reads "5/1m"; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), (1...Self.countLimit).contains(count),
            let milliseconds = MomentText.duration(String(parts[1])),
            (1...Self.intervalLimit).contains(milliseconds)
        else { return nil }
        self.init(count: count, milliseconds: milliseconds)
    }

    /// "5 pushes in 1 min 00 s".
    var words: String {
        let interval =
            milliseconds % 1000 == 0 ? Self.duration(milliseconds) : "\(milliseconds) ms"
        return count == 1 ? "1 push in \(interval)" : "\(count) pushes in \(interval)"
    }

    private static func duration(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        return seconds % 60 == 0 && seconds <= 3600 ? "\(seconds / 60) min" : "\(seconds) s"
    }
}
