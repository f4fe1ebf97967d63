/// Lets so many events a second through and counts the others.
struct RateGate {
    private let perSecond: Int
    private var second: Int64 = .min
    private var count = 0
    private var held = 0

    /// A gate of so many a second.
    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// Whether an event at this time (milliseconds) passes; and how many were held back since the last that passed.
    mutating func passes(at milliseconds: Int64) -> (passes: Bool, heldBefore: Int) {
        let now = milliseconds / 1000
        if now != second {
            second = now
            count = 0
        }
        guard count < perSecond else {
            held += 1
            return (false, 0)
        }
        count += 1
        defer { held = 0 }
        return (true, held)
    }
}
