/// How often rules looked at what they count by, and how often they fired; bounded, the oldest counters go first.
struct CounterTable {
    /// One rule's counter for one device, topic, connection, apns-id or key.
    struct Key: Hashable {
        let rule: UInt64
        let key: UInt64
    }

    /// A counter.
    struct Counter {
        /// How many requests that the rule means came.
        var attempts = 0
        /// How many of them it touched.
        var hits = 0
    }

    private let limit: Int
    private var counters: [Key: Counter] = [:]
    /// The keys in the order of their first use, from `oldest` on.
    private var order: [Key] = []
    private var oldest = 0
    /// How many counters were forgotten because there were too many.
    private(set) var forgotten = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// How many counters there are.
    var count: Int { counters.count }

    /// The counter of a key; setting it may cost the oldest one.
    subscript(key: Key) -> Counter {
        get { counters[key] ?? Counter() }
        set {
            if counters.updateValue(newValue, forKey: key) != nil { return }
            order.append(key)
            while counters.count > limit, oldest < order.count {
                if counters.removeValue(forKey: order[oldest]) != nil { forgotten += 1 }
                oldest += 1
            }
            if oldest > limit {
                order.removeFirst(oldest)
                oldest = 0
            }
        }
    }

    /// Forgets the counters of a rule.
    mutating func remove(rule: UInt64) {
        order = order[oldest...].filter { $0.rule != rule }
        oldest = 0
        counters = counters.filter { $0.key.rule != rule }
    }
}
