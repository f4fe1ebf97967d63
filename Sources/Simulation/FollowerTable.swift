import HTTP

/// Who is told about new entries.
///
/// Followers of exact device tokens are found by the token, so that hundreds of tests that wait for a device each cost a
/// push one look; the others are asked one by one.
struct FollowerTable {
    private struct Registration {
        let matcher: Matcher
        let deliver: @Sendable (Journal.Event) -> Void
        /// The hashes it is found by; empty when it is asked each time.
        let hashes: [UInt64]
        let hearsCompletions: Bool
        /// What asking it takes for each entry; nil when it asks itself.
        let cost: Int?
    }

    private var registrations: [UInt64: Registration] = [:]
    private var byDevice: [UInt64: [UInt64]] = [:]
    private var others: [UInt64] = []
    /// What the followers that are asked for every entry take, and those of a device besides, in steps.
    private var othersCost = 0
    private var deviceCosts: [UInt64: Int] = [:]
    private var lastNumber: UInt64 = 0
    private let scratch = MatchScratch(limit: .max)
    /// How many of them ask for findings, which a sender's conduct may show.
    private var askingForFindings = 0

    /// Whether somebody asks for findings.
    var asksForFindings: Bool { askingForFindings > 0 }

    /// What the sender's conduct showed, by the numbers of the entries; only while somebody asks.
    var remarks: [UInt64: [Conduct.Remark]] {
        get { scratch.remarks }
        nonmutating set { scratch.remarks = newValue }
    }

    /// How many there are.
    var count: Int { registrations.count }

    /// Whether the follower asks its own matcher, as more questions would hold up the thread that answers pushes.
    func asksItself(_ number: UInt64) -> Bool { registrations[number].map { $0.cost == nil } ?? false }

    /// Adds a follower and returns its number.
    mutating func add(
        _ matcher: Matcher, hearsCompletions: Bool = false, _ deliver: @escaping @Sendable (Journal.Event) -> Void
    ) -> UInt64 {
        lastNumber += 1
        let devices = matcher.exactDevices ?? []
        let hashes = Set(devices.map { device in unsafe device.withUnsafeBytes { unsafe Self.hash($0) } })
        let busiest = hashes.reduce(0) { max($0, deviceCosts[$1] ?? 0) }
        let isCheap = othersCost &+ busiest &+ matcher.cost <= MatchCost.followerLimit
        let cost = isCheap ? matcher.cost : nil
        registrations[lastNumber] = Registration(
            matcher: matcher, deliver: deliver, hashes: Array(hashes), hearsCompletions: hearsCompletions, cost: cost)
        if matcher.asksForFindings { askingForFindings += 1 }
        if hashes.isEmpty { othersCost += cost ?? 0 }
        for hash in hashes { deviceCosts[hash, default: 0] += cost ?? 0 }
        for hash in hashes { byDevice[hash, default: []].append(lastNumber) }
        if hashes.isEmpty { others.append(lastNumber) }
        return lastNumber
    }

    /// Ends a registration.
    mutating func remove(_ number: UInt64) {
        guard let registration = registrations.removeValue(forKey: number) else { return }
        if registration.matcher.asksForFindings { askingForFindings -= 1 }
        others.removeAll { $0 == number }
        if registration.hashes.isEmpty { othersCost -= registration.cost ?? 0 }
        for hash in registration.hashes {
            byDevice[hash]?.removeAll { $0 == number }
            deviceCosts[hash, default: 0] -= registration.cost ?? 0
            if byDevice[hash]?.isEmpty ?? false {
                byDevice[hash] = nil
                deviceCosts[hash] = nil
            }
        }
    }

    /// Tells everybody who waits for one of these entries.
    mutating func tell(_ batch: [JournalEntry]) {
        for entry in batch { tell(entry) }
    }

    private mutating func tell(_ entry: JournalEntry) {
        if !byDevice.isEmpty, let device = entry.content.device {
            let hash = unsafe entry.content.request.storage.withUnsafeBytes {
                unsafe Self.hash(UnsafeRawBufferPointer(rebasing: $0[device]))
            }
            for number in byDevice[hash] ?? [] { tell(number, entry) }
        }
        for number in others { tell(number, entry) }
        scratch.forget()
        scratch.begin(limit: .max)
    }

    /// Tells everybody who asks for it that an entry waits no more.
    func tell(completed entry: JournalEntry) {
        for registration in registrations.values where registration.hearsCompletions {
            if registration.matcher.matches(entry, scratch: scratch) { registration.deliver(.completed(entry)) }
        }
        scratch.forget()
    }

    /// Tells everybody.
    func tellAll(_ event: Journal.Event) {
        for registration in registrations.values { registration.deliver(event) }
    }

    private func tell(_ number: UInt64, _ entry: JournalEntry) {
        guard let registration = registrations[number] else { return }
        guard registration.cost != nil else { return registration.deliver(.candidate(entry)) }
        guard registration.matcher.matches(entry, scratch: scratch) else { return }
        registration.deliver(.entry(entry))
    }

    /// A hash of hexadecimal digits that does not see their case. Other bytes may share one, so a match must be checked.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = 0
        while place + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            hash = mix(hash, word | 0x2020_2020_2020_2020)
            place += 8
        }
        while place < bytes.count {
            hash = mix(hash, UInt64(unsafe bytes[place] | 0x20))
            place += 1
        }
        return hash
    }

    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
