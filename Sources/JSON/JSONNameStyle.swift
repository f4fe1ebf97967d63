/// How the words of a name are put together.
package enum JSONNameStyle: UInt8, Sendable {
    /// One word, or a name that belongs to another product (`gcm.message_id`, `_source`).
    case none
    /// `order_id`
    case snake
    /// `order-id`
    case kebab
    /// `orderId`
    case camel
    /// `OrderId`
    case pascal

    /// The style of a name.
    @inline(__always)
    init(_ name: Span<UInt8>) {
        var (hasLower, hasUpper, hasUnderscore, hasHyphen) = (false, false, false, false)
        self = .none
        guard !name.isEmpty, name[0] != 0x5F else { return }
        for index in name.indices {
            switch name[index] {
            case 0x61...0x7A: hasLower = true
            case 0x41...0x5A: hasUpper = true
            case 0x30...0x39: break
            case 0x5F: hasUnderscore = true
            case 0x2D: hasHyphen = true
            default: return
            }
        }
        guard hasLower else { return }
        if hasUnderscore {
            self = .snake
        } else if hasHyphen {
            self = .kebab
        } else if (0x41...0x5A).contains(name[0]) {
            self = .pascal
        } else if hasUpper {
            self = .camel
        }
    }
}
