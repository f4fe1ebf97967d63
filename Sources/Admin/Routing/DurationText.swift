/// Durations as guests write them: "250ms", "5s", "1.5m", or whole milliseconds.
package enum DurationText {
    /// What to write, for messages.
    package static let expected = #"a duration such as "250ms" or "5s", or whole milliseconds"#

    private static let units: [(suffix: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Milliseconds; nil when the text is no duration or longer than a hundred years.
    package static func milliseconds(_ text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.first?.isNumber == true, digits.last != ".", let number = Double(digits) else { return nil }
        let suffix = text.dropFirst(digits.count)
        if suffix.isEmpty {
            return digits.contains(".") ? nil : whole(number)
        }
        guard let unit = units.first(where: { $0.suffix == suffix }) else { return nil }
        return whole(number * unit.milliseconds)
    }

    /// "250 ms", "5 s", "1.5 s", for people.
    package static func words(_ milliseconds: Int64) -> String {
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    private static func whole(_ milliseconds: Double) -> Int64? {
        let century = 100 * 365 * 86_400_000.0
        return milliseconds <= century ? Int64(milliseconds.rounded()) : nil
    }
}
