import Locking
import Synchronization

/// What a tester told the server to do with requests and connections: rules, and their counters. Any thread.
///
/// A server without rules pays one flag test a request.
package final class Script: Sendable {
    /// A registration of an answer that waits.
    package struct Hold: Sendable, Hashable {
        let number: UInt64
    }

    /// A rule and what became of it.
    package struct Status: Sendable {
        package let rule: Rule
        /// How often it fired.
        package let hits: Int
        /// How often it may still fire: of all requests, or of each device, topic … that it has not seen. Nil for no limit.
        package let remaining: Int?
        /// When it fired last, in milliseconds of the server's clock.
        package let lastHitAt: Int64?
        /// The entry of the request that it touched last.
        package let lastHit: JournalEntry?
    }

    /// Why a rule was not taken.
    package enum Refusal: Error, Sendable, Equatable {
        case taken(String)
        case full
        /// All rules together could take more steps for one push than there may be.
        case tooCostly(Cost)
    }

    /// What rules may cost a push, and would.
    package struct Cost: Error, Sendable, Equatable {
        /// The rule with which the limit is passed.
        package let rule: String
        /// What that rule takes, and all rules together, in steps.
        package let own: Int
        package let all: Int

        /// In words for people, with the fix.
        package var words: String {
            "The rule \"\(rule)\" can take \(own) steps for one push, and all rules together \(all); there may be "
                + "\(MatchCost.ruleLimit), so that no push is held up."
        }
    }

    /// Throws when these rules could take more steps for one push than there may be.
    package static func check(cost rules: [Rule]) throws(Cost) {
        // The payload is read once for all of them.
        var all = MatchCost.bodyBytes
        for rule in rules {
            all &+= rule.cost
            if all > MatchCost.ruleLimit { throw Cost(rule: rule.id, own: rule.cost, all: all) }
        }
    }

    private static func refusal(ofCost rules: [Rule]) -> Refusal? {
        do throws(Cost) {
            try check(cost: rules)
            return nil
        } catch {
            return .tooCostly(error)
        }
    }

    /// How many rules there may be.
    package static let ruleLimit = 1000
    /// How many counters all rules have together; the oldest are forgotten.
    package static let counterLimit = 100_000
    /// The state of small scenarios at the start.
    package static let initialState = "start"
    /// The id that entries show for a magic device token.
    package static let magicTokenID = "magic-token"
    /// Whose number the counters of magic tokens have.
    static let magicTokenNumber: UInt64 = 0

    /// The number behind all draws.
    package let seed: UInt64
    private let initial: [Rule]
    private let state: Lock<ScriptState>
    private let active = Atomic<Bool>(false)

    /// A script that begins, and after each reset begins again, with these rules.
    package init(seed: UInt64 = 0, rules: [Rule] = []) {
        self.seed = seed
        initial = rules
        state = Lock(ScriptState(seed: seed))
        _ = try? replace(with: rules)
    }

    /// A script like this one at this moment; what happens there has no consequence here.
    func copy() -> Script {
        let copy = Script(seed: seed)
        let (rules, counters, scenario) = state.withLock { ($0.rules, $0.counters, $0.scenario) }
        copy.state.withLock { state in
            for rule in rules { state.insert(rule) }
            state.counters = counters
            state.scenario = scenario
        }
        copy.active.store(!rules.isEmpty, ordering: .relaxed)
        return copy
    }

    /// Whether there is any rule.
    package var isActive: Bool { active.load(ordering: .relaxed) }

    // MARK: Asking

    /// What the rules of a stage make of a request, or of a connection, as far as `isMeant` lets them; nil when nothing.
    func verdict(
        on entry: JournalEntry, _ stage: RuleStage, now: Int64, _ scratch: MatchScratch,
        where isMeant: (Rule) -> Bool = { _ in true }
    ) -> ScriptVerdict? {
        let (rules, generation) = state.withLock { ($0.rules, $0.generation) }
        var verdict: ScriptVerdict?
        for rule in rules where rule.stage == stage && rule.isAwake(at: now) && isMeant(rule) {
            guard rule.matcher.matches(entry, scratch: scratch) else {
                if !scratch.isSpent { continue }
                // A request larger than rules are reckoned with. It is not held up; those behind are not asked.
                state.withLock { $0.unasked += 1 }
                break
            }
            let key = rule.scope.key(of: entry)
            guard let shot = state.withLock({ $0.fire(rule, key: key, now: now) }) else { continue }
            let delay = milliseconds(shot.step.delay, rule, shot)
            let total = (verdict?.delay ?? 0) + delay
            verdict = ScriptVerdict(
                use: JournalEntry.RuleUse(
                    id: rule.id, attempt: shot.attempt, draw: shot.draw, outcome: shot.step.outcome?.words ?? "delay",
                    delayMilliseconds: total),
                outcome: shot.step.outcome, delay: total, rules: (verdict?.rules ?? []) + [rule.number],
                generation: generation)
            if !rule.continues { break }
        }
        return verdict
    }

    private func milliseconds(_ delay: RuleDelay?, _ rule: Rule, _ shot: ScriptState.Shot) -> Int64 {
        guard let delay else { return 0 }
        func draw(_ purpose: ScriptHash.Purpose) -> Double {
            ScriptHash.draw(seed: seed, rule: rule.hash, key: shot.key, attempt: shot.attempt, for: purpose)
        }
        return delay.milliseconds(draw(.delay), draw(.delayShape))
    }

    /// Which try of a magic token this is, from 1, and the script's generation.
    func magicAttempt(key: UInt64) -> (attempt: Int, generation: UInt64) {
        let place = CounterTable.Key(rule: Self.magicTokenNumber, key: key)
        return state.withLock { state in
            var counter = state.counters[place]
            counter.attempts += 1
            state.counters[place] = counter
            return (counter.attempts, state.generation)
        }
    }

    /// Remembers the entry of a request that rules have touched.
    func note(_ entry: JournalEntry, _ numbers: [UInt64]) {
        guard !numbers.isEmpty else { return }
        state.withLock { state in
            for number in numbers { state.records[number]?.lastHit = entry }
        }
    }

    // MARK: Answers that wait

    /// Registers an answer that waits; nil when the script was reset since the decision, or a rule behind it has gone.
    func hold(_ rules: [UInt64], generation: UInt64, _ cancel: @escaping @Sendable () -> Void) -> Hold? {
        state.withLock { state in
            guard state.generation == generation, rules.allSatisfy({ state.records[$0] != nil }) else { return nil }
            let number = state.nextNumber()
            state.waiting[number] = ScriptState.Waiting(rules: rules, cancel: cancel)
            return Hold(number: number)
        }
    }

    /// Whether some answer waits.
    package var holdsAnswers: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Ends a registration.
    func release(_ hold: Hold) {
        _ = state.withLock { $0.waiting.removeValue(forKey: hold.number) }
    }

    /// Cancels all answers that wait; the rules stay.
    package func cancelWaiting() {
        let ended = state.withLock { state in
            defer { state.waiting = [:] }
            state.generation += 1
            return Array(state.waiting.values)
        }
        for waiting in ended { waiting.cancel() }
    }

    /// How many answers wait.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    // MARK: The rules

    /// The rules in the order in which they are asked, without those whose time is over.
    package func rules(now: Int64) -> [Rule] { statuses(now: now).map(\.rule) }

    /// The rules and what became of them, in the order in which they are asked.
    package func statuses(now: Int64) -> [Status] {
        expire(now: now)
        return state.withLock { state in
            var result: [Status] = []
            for rule in state.rules {
                let record = state.records[rule.number] ?? .init()
                var remaining = rule.times
                if rule.isSequence, rule.end == .pass { remaining = min(remaining ?? .max, rule.steps.count) }
                if rule.scope == .all, let most = remaining { remaining = max(0, most - record.hits) }
                result.append(
                    Status(
                        rule: rule, hits: record.hits, remaining: remaining, lastHitAt: record.lastHitAt,
                        lastHit: record.lastHit))
            }
            return result
        }
    }

    /// How many requests were too large for all rules to be asked about them.
    package var unasked: Int { state.withLock { $0.unasked } }

    /// The state of small scenarios.
    package var scenario: String { state.withLock { $0.scenario } }

    /// The failures at random that are on; nil for none.
    package var chaos: Chaos? { state.withLock { $0.chaos } }

    /// The ids of the rules that somebody added and that never fired; failures at random may stay away.
    package func neverFired(now: Int64) -> [String] {
        statuses(now: now).filter { $0.hits == 0 && $0.rule.origin != .chaos }.map(\.rule.id)
    }

    /// The same over the life of the script, with the rules that are gone: taken out, forgotten by a reset or past their time.
    package var neverFired: [String] {
        state.withLock { state in
            state.ledger.neverFired(state.rules.map { ($0, state.records[$0.number]?.hits ?? 0) })
        }
    }

    /// Begins failures at random, which are these rules, in the place of those before.
    package func begin(_ chaos: Chaos, _ rules: [Rule]) throws(Refusal) {
        try replace(.chaos, with: rules)
        state.withLock { $0.chaos = chaos }
    }

    /// Ends failures at random.
    package func endChaos() {
        remove { $0.origin == .chaos }
        state.withLock { $0.chaos = nil }
    }

    /// Adds a rule. Those of `fail-next` that are used up make room.
    package func add(_ rule: Rule) throws(Refusal) {
        var ended: [ScriptState.Waiting] = []
        let refusal: Refusal? = state.withLock { state in
            guard !state.rules.contains(where: { $0.id == rule.id }) else { return .taken(rule.id) }
            if rule.origin == .failNext { ended = state.remove(Self.usedUp(state)) }
            guard state.rules.count < Self.ruleLimit else { return .full }
            if let refusal = Self.refusal(ofCost: state.rules + [rule]) { return refusal }
            var rule = rule
            rule.number = state.nextNumber()
            state.insert(rule)
            active.store(true, ordering: .relaxed)
            return nil
        }
        for waiting in ended { waiting.cancel() }
        if let refusal { throw refusal }
    }

    /// The shorthands for the next few requests that have done their work, and whose answers have left.
    private static func usedUp(_ state: borrowing ScriptState) -> Set<UInt64> {
        let busy = Set(state.waiting.values.flatMap(\.rules))
        var numbers: Set<UInt64> = []
        for rule in state.rules where rule.origin == .failNext && !busy.contains(rule.number) {
            if let times = rule.times, state.records[rule.number]?.hits ?? 0 >= times { numbers.insert(rule.number) }
        }
        return numbers
    }

    /// A word that no rule has as its id: the prefix and a number.
    package func freeID(_ prefix: String) -> String {
        let ids = state.withLock { Set($0.rules.map(\.id)) }
        var number = 1
        while ids.contains("\(prefix)-\(number)") { number += 1 }
        return "\(prefix)-\(number)"
    }

    /// Puts these rules in the place of all, or of all of one origin; their counters begin anew.
    package func replace(_ origin: Rule.Origin? = nil, with rules: [Rule]) throws(Refusal) {
        var ended: [ScriptState.Waiting] = []
        let refusal: Refusal? = state.withLock { state in
            let staying = state.rules.filter { origin != nil && $0.origin != origin }
            if let refusal = Self.refusal(ofCost: staying + rules) { return refusal }
            var ids = Set(staying.map(\.id))
            guard ids.count + rules.count <= Self.ruleLimit else { return .full }
            for rule in rules where !ids.insert(rule.id).inserted { return .taken(rule.id) }
            ended = state.remove(Set(state.rules.filter { origin == nil || $0.origin == origin }.map(\.number)))
            for var rule in rules {
                rule.number = state.nextNumber()
                state.insert(rule)
            }
            if origin == nil {
                state.scenario = Self.initialState
                state.chaos = nil
            }
            active.store(!state.rules.isEmpty, ordering: .relaxed)
            return nil
        }
        for waiting in ended { waiting.cancel() }
        if let refusal { throw refusal }
    }

    /// Puts a rule in the place of the one with this id, which keeps its age and its counters; false when there is none.
    package func update(_ id: String, to rule: Rule) throws(Cost) -> Bool {
        let result: Result<Bool, Cost> = state.withLock { state in
            guard let index = state.rules.firstIndex(where: { $0.id == id }) else { return .success(false) }
            if case .tooCostly(let cost)? = Self.refusal(ofCost: state.rules.filter { $0.id != id } + [rule]) {
                return .failure(cost)
            }
            var rule = rule
            rule.number = state.rules[index].number
            rule.origin = state.rules[index].origin
            state.rules.remove(at: index)
            state.insert(rule)
            return .success(true)
        }
        return try result.get()
    }

    /// Takes a rule out and cancels the answers that wait because of it; false when there is none.
    @discardableResult
    package func remove(_ id: String) -> Bool {
        remove { $0.id == id } > 0
    }

    /// Takes the rules out that are meant, and returns how many there were.
    @discardableResult
    package func remove(where isMeant: (Rule) -> Bool) -> Int {
        let (count, ended) = state.withLock { state in
            let numbers = Set(state.rules.filter(isMeant).map(\.number))
            let ended = state.remove(numbers)
            active.store(!state.rules.isEmpty, ordering: .relaxed)
            return (numbers.count, ended)
        }
        for waiting in ended { waiting.cancel() }
        return count
    }

    /// Back to the rules at the start; counters begin anew, and all answers that wait are cancelled.
    package func reset() {
        let ended = state.withLock { state in
            let ended = Array(state.waiting.values)
            let seed = state.seed
            let generation = state.generation + 1
            let number = state.nextNumber()
            var ledger = state.ledger
            for rule in state.rules { ledger.ends(rule, hits: state.records[rule.number]?.hits ?? 0) }
            state = ScriptState(seed: seed, generation: generation, lastNumber: number)
            state.ledger = ledger
            for var rule in initial {
                rule.number = state.nextNumber()
                state.insert(rule)
            }
            active.store(!state.rules.isEmpty, ordering: .relaxed)
            return ended
        }
        for waiting in ended { waiting.cancel() }
    }

    /// Forgets the rules whose time is over; the answers that they have delayed are still given.
    private func expire(now: Int64) {
        state.withLock { state in
            let isOver: (Rule) -> Bool = { $0.expiresAt.map { now >= $0 } ?? false }
            guard state.rules.contains(where: isOver) else { return }
            let waiting = state.waiting
            _ = state.remove(Set(state.rules.filter(isOver).map(\.number)))
            state.waiting = waiting
            active.store(!state.rules.isEmpty, ordering: .relaxed)
        }
    }
}
