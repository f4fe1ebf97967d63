/// Comparison of secrets whose duration tells nothing about where they differ.
enum ConstantTime {
    /// Whether two texts have the same bytes.
    static func equal(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        var difference: UInt8 = left.count == right.count ? 0 : 1
        for index in right.indices {
            difference |= right[index] ^ (left.isEmpty ? 0 : left[index % left.count])
        }
        return difference == 0
    }
}
