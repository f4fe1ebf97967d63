import JSON

/// The styles of names seen so far: `order_id`, `order-id`, `orderId`, `OrderId`.
struct NameStyles {
    private var seen: UInt8 = 0

    /// Whether more than one style was seen.
    var areMixed: Bool { seen & (seen &- 1) != 0 }

    /// Takes note of a name; says whether its style is a new one. Names of one word have no style, nor have names that
    /// belong to other products (`gcm.message_id`, `_source`).
    @discardableResult
    mutating func note(_ letters: JSONNameLetters) -> Bool {
        let style: UInt8
        if letters.contains(.other) || letters.contains(.beginsUnderscore) || !letters.contains(.lowerCase) {
            return false
        } else if letters.contains(.underscore) {
            style = 1
        } else if letters.contains(.hyphen) {
            style = 2
        } else if letters.contains(.beginsUpperCase) {
            style = 4
        } else if letters.contains(.upperCase) {
            style = 8
        } else {
            return false
        }
        let isNew = seen & style == 0
        seen |= style
        return isNew
    }
}
