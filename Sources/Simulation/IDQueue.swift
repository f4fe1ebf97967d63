/// Ids in the order in which they came, for forgetting the oldest.
struct IDQueue {
    /// An id and a number that tells its turns apart.
    struct Element {
        var id: String
        var number: UInt64
    }

    private var elements: [Element] = []
    private var first = 0

    /// How many there are.
    var count: Int { elements.count - first }

    /// Adds one at the end.
    mutating func append(_ id: String, number: UInt64) {
        elements.append(Element(id: id, number: number))
    }

    /// Takes the oldest.
    mutating func removeFirst() -> Element? {
        guard first < elements.count else { return nil }
        defer {
            first += 1
            if first > 64, first * 2 > elements.count {
                elements.removeFirst(first)
                first = 0
            }
        }
        return elements[first]
    }
}
