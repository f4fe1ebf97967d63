import Simulation

/// The expected order beside the order of arrival, as a text of two columns.
struct VerifyOrder: Sendable {
    private let names: [String]
    private let arrivals: [VerifyResult.Arrival]
    private let fault: VerifyResult.Arrival

    init(_ names: [String], _ arrivals: [VerifyResult.Arrival], _ fault: VerifyResult.Arrival) {
        self.names = names
        self.arrivals = arrivals
        self.fault = fault
    }

    /// "#1044 is end, which came before its turn."
    var sentence: String {
        let last = arrivals.last { !$0.isOutOfOrder }
        let isLate = (last?.expectation ?? -1) > fault.expectation
        return "#\(fault.entry.seq) is \(names[fault.expectation]), and "
            + (isLate
                ? "came after \(last.map { names[$0.expectation] } ?? "")."
                : "came before what must stand in front of it was complete.")
    }

    /// The two columns.
    var text: String {
        let left = ["expected"] + names
        let right =
            ["arrived"]
            + arrivals.map { "#\($0.entry.seq) \(names[$0.expectation])\($0.isOutOfOrder ? "   <- out of order" : "")" }
        let width = left.map(\.count).max() ?? 0
        return (0..<max(left.count, right.count)).map { row in
            let cell = row < left.count ? left[row] : ""
            let padding = String(repeating: " ", count: width - cell.count)
            return row < right.count ? "\(cell)\(padding)   \(right[row])" : cell
        }.joined(separator: "\n")
    }
}
