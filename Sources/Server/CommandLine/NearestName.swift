/// Finds what somebody probably meant.
package enum NearestName {
    /// The known name that needs the fewest changes, unless that would be a different word.
    package static func of(_ text: String, among names: some Sequence<String>) -> String? {
        var best: (name: String, distance: Int)?
        for name in names {
            let distance = distance(Array(text.utf8), Array(name.utf8))
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        guard let best, best.distance <= max(2, text.utf8.count / 3) else { return nil }
        return best.name
    }

    /// How many bytes must be inserted, removed, replaced or swapped with their neighbour to make one into the other.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in 0..<right.count {
                var cost = min(previous[column + 1], current[column]) + 1
                cost = min(cost, previous[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
