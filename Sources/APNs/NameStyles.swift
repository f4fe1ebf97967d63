import JSON

/// The styles of names seen so far.
struct NameStyles {
    private var seen: UInt8 = 0

    /// Whether more than one style was seen.
    var areMixed: Bool { seen & (seen &- 1) != 0 }

    /// Takes note of a name's style; says whether it is a new one.
    @discardableResult
    mutating func note(_ style: JSONNameStyle) -> Bool {
        let bit: UInt8
        switch style {
        case .none: return false
        case .snake: bit = 1
        case .kebab: bit = 2
        case .camel: bit = 4
        case .pascal: bit = 8
        }
        let isNew = seen & bit == 0
        seen |= bit
        return isNew
    }
}
