/// What a script's lock guards.
struct ScriptState: ~Copyable {
    /// What became of a rule.
    struct Record {
        var hits = 0
        var lastHitAt: Int64?
        var lastHit: JournalEntry?
    }

    /// An answer that waits.
    struct Waiting {
        let rules: [UInt64]
        let cancel: @Sendable () -> Void
    }

    /// What a rule that fires does.
    struct Shot {
        let attempt: Int
        let draw: Double
        let key: UInt64
        let step: RuleStep
    }

    let seed: UInt64
    /// In the order in which they are asked.
    var rules: [Rule] = []
    var records: [UInt64: Record] = [:]
    var counters = CounterTable(limit: Script.counterLimit)
    /// The state of small scenarios.
    var scenario = Script.initialState
    /// The failures at random that are on.
    var chaos: Chaos?
    var waiting: [UInt64: Waiting] = [:]
    /// How many requests were too large for all rules to be asked about them.
    var unasked = 0
    var generation: UInt64 = 0
    /// Which rules never fired.
    var ledger = RuleLedger()
    private var lastNumber: UInt64 = 0

    /// A state without rules; numbers go on from those that were given before.
    init(seed: UInt64, generation: UInt64 = 0, lastNumber: UInt64 = 0) {
        self.seed = seed
        self.generation = generation
        self.lastNumber = lastNumber
    }

    /// A number that was not given before.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Puts a rule in its place.
    mutating func insert(_ rule: Rule) {
        let place =
            rules.firstIndex { ($0.priority, rule.number) < (rule.priority, $0.number) } ?? rules.endIndex
        rules.insert(rule, at: place)
        if records[rule.number] == nil { records[rule.number] = Record() }
    }

    /// Takes rules out with everything that is known of them; returns the answers that waited because of them.
    mutating func remove(_ numbers: Set<UInt64>) -> [Waiting] {
        if numbers.isEmpty { return [] }
        for rule in rules where numbers.contains(rule.number) {
            ledger.ends(rule, hits: records[rule.number]?.hits ?? 0)
        }
        rules.removeAll { numbers.contains($0.number) }
        for number in numbers {
            records[number] = nil
            counters.remove(rule: number)
        }
        let ended = waiting.filter { !numbers.isDisjoint(with: $0.value.rules) }
        for key in ended.keys { waiting[key] = nil }
        return Array(ended.values)
    }

    /// Counts a request that a rule means, and says whether the rule fires.
    mutating func fire(_ rule: Rule, key: UInt64, now: Int64) -> Shot? {
        // The rule may have gone since the caller looked.
        guard records[rule.number] != nil else { return nil }
        if let state = rule.state, state != scenario { return nil }
        let place = CounterTable.Key(rule: rule.number, key: key)
        var counter = counters[place]
        counter.attempts += 1
        defer { counters[place] = counter }
        let attempt = counter.attempts
        guard attempt > rule.skip else { return nil }
        if let every = rule.every, (attempt - rule.skip) % every != 0 { return nil }
        if let times = rule.times, counter.hits >= times { return nil }
        let draw = ScriptHash.draw(seed: seed, rule: rule.hash, key: key, attempt: attempt, for: .fires)
        if let probability = rule.probability, draw >= probability { return nil }
        guard let step = rule.step(counter.hits) else { return nil }
        counter.hits += 1
        if records[rule.number]?.hits == 0 { ledger.fires(rule) }
        records[rule.number]?.hits += 1
        records[rule.number]?.lastHitAt = now
        if let next = rule.nextState { scenario = next }
        return Shot(attempt: attempt, draw: draw, key: key, step: step)
    }
}
