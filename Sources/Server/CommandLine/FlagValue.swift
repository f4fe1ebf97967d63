package import APNs
import Simulation

/// Reads the values of flags; each failure names the value and what was expected.
package enum FlagValue {
    /// yes or no, in the usual spellings.
    package static func boolean(_ text: String) throws(UsageError) -> Bool {
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off", "": return false
        default: throw UsageError("\"\(text)\" is neither yes nor no; use true or false")
        }
    }

    /// Bundle ids, exact or with `*`; `off` alone is none.
    package static func bundleIDs(_ values: [String]) throws(UsageError) -> [TopicPattern] {
        if values == ["off"] { return [] }
        for value in values {
            if value == "off" { throw UsageError("\"off\" stands alone: it means that no app has the capability") }
            let isBundleID =
                !value.isEmpty
                && value.utf8.allSatisfy { byte in
                    switch byte {
                    case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                        UInt8(ascii: "*"):
                        true
                    default: false
                    }
                }
            guard isBundleID else {
                throw UsageError("\"\(value)\" is no bundle id; write com.example.app, com.example.* or off")
            }
        }
        return values.map { TopicPattern($0) }
    }

    /// A whole number in a range.
    package static func integer<Number: FixedWidthInteger>(
        _ text: String, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let value = Number(text), range.contains(value) else {
            throw UsageError(
                "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// A range of ports: "2200-2231".
    package static func ports(_ text: String) throws(UsageError) -> ClosedRange<UInt16> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first > 0, first <= last else {
            throw UsageError("\"\(text)\" is no range of ports; write 2200-2231")
        }
        return first...last
    }

    /// A number of bytes: "65536", "64KiB", "64MiB", "1GiB".
    package static func bytes(_ text: String) throws(UsageError) -> Int {
        let units: [(String, Int)] = [("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10), ("b", 1), ("", 1)]
        let lower = text.lowercased()
        for (suffix, factor) in units where lower.hasSuffix(suffix) {
            guard let count = Int(lower.dropLast(suffix.count)), count >= 0 else { break }
            let (bytes, overflow) = count.multipliedReportingOverflow(by: factor)
            if !overflow { return bytes }
            break
        }
        throw UsageError("\"\(text)\" is not a size; write 65536, 64KiB, 64MiB or 1GiB")
    }

    /// Milliseconds of a duration: "250ms", "5s", "2m", "1h" or a whole number of milliseconds.
    package static func milliseconds(_ text: String) throws(UsageError) -> Int64 {
        let units: [(String, Int64)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1)]
        for (suffix, factor) in units where text.hasSuffix(suffix) {
            guard let count = Double(text.dropLast(suffix.count)), count >= 0, count * Double(factor) < 1e15 else {
                break
            }
            return Int64((count * Double(factor)).rounded())
        }
        throw UsageError(
            "\"\(text)\" is not a duration; write 250ms, 5s, 2m, 1h or a number of milliseconds")
    }

    /// One of a few words.
    package static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, _ type: Choice.Type = Choice.self
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let nearest = NearestName.of(text, among: names).map { "; did you mean \($0)?" } ?? ""
        throw UsageError(
            "\"\(text)\" is none of \(names.joined(separator: ", "))\(nearest)")
    }
}
