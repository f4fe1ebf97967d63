/// How far two names are apart: what a person may have meant.
enum EditDistance {
    /// The nearest of `candidates` when it is near enough to be meant; equal letters in another case or with other
    /// separators are nearest of all.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        let letters = letters(of: name)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(letters, self.letters(of: candidate))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= allowance(letters.count) else { return nil }
        return best.candidate
    }

    /// Whether a name may be meant to be `candidate`.
    static func isNear(_ name: String, to candidate: String) -> Bool { nearest(to: name, among: [candidate]) != nil }

    /// A third of the name may be wrong: enough for `mutating-content`, too little for another word.
    private static func allowance(_ count: Int) -> Int { count / 3 }

    /// The letters and digits of a name in lower case, without separators.
    private static func letters(of name: String) -> [UInt8] {
        name.utf8.compactMap { byte in
            switch byte {
            case 0x2D, 0x5F, 0x2E, 0x20: nil
            case 0x41...0x5A: byte | 0x20
            default: byte
            }
        }
    }

    /// Insertions, deletions, changes and swaps of neighbours that make one name of the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        // A name much longer than any key is near to none.
        guard left.count <= 64 else { return .max }
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 1...max(left.count, 1) where row <= left.count {
            var current = [row]
            for column in 1...max(right.count, 1) where column <= right.count {
                let isEqual = left[row - 1] == right[column - 1]
                var cost = min(previous[column - 1] + (isEqual ? 0 : 1), previous[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, before[column - 2] + 1)
                }
                current.append(cost)
            }
            (before, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
