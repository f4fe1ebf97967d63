import HTTP

/// Which entry a preview is about, and what has to be known to draw it.
package struct PreviewQuestion: Sendable {
    package var entry: JournalEntry
    /// The accepted pushes to the same device, in the order of their numbers, the entry among them.
    package var history: [JournalEntry] = []
    /// The changes of the device's state.
    package var changes: [Device.Change] = []
    package var apps: [AppFacts] = []
    /// In milliseconds of the server's clock.
    package var now: Int64
    /// The id of the entry with a number.
    package var id: @Sendable (UInt64) -> String

    /// A question about an entry of which nothing else is known.
    package init(_ entry: JournalEntry, now: Int64, id: @escaping @Sendable (UInt64) -> String) {
        self.entry = entry
        self.now = now
        self.id = id
    }

    /// A question about an entry among all that a journal holds.
    package init(_ entry: JournalEntry, in simulator: Simulator) {
        let journal = simulator.journal
        self.init(entry, now: simulator.clock.now().server) { journal.id(seq: $0) }
        apps = simulator.apps.all
        guard entry.content.outcome == .accepted, entry.content.channelRequest == nil,
            let place = entry.content.device
        else { return }
        let token = entry.content.request.text(in: place).lowercased()
        changes = simulator.devices.device(token)?.changes ?? []
        let bytes = Array(token.utf8)
        let (earlier, later) = (
            simulator.journal.snapshot().entries.reversed().lazy
                .filter { $0.seq <= entry.seq && $0.isAccepted(forDevice: bytes) }.prefix(Preview.historyLimit),
            simulator.journal.snapshot(after: entry.seq).entries.lazy
                .filter { $0.isAccepted(forDevice: bytes) }.prefix(Preview.historyLimit)
        )
        history = earlier.reversed() + later
    }

    /// A question about an entry that no journal will get: as if it came next.
    init(draft entry: JournalEntry, in simulator: Simulator) {
        entry.assign(seq: simulator.journal.cursor + 1)
        self.init(entry, in: simulator)
        if entry.content.outcome == .accepted, entry.content.channelRequest == nil { history.append(entry) }
    }

    /// What the device showed before the entry, with the entry, and what it shows now.
    var inboxes: (before: Inbox, after: Inbox, present: Inbox) {
        let seq = entry.seq
        let time = entry.content.serverTime
        return (
            Inbox(history.lazy.filter { $0.seq < seq }, changes: changes.filter { $0.cursor < seq }, now: time),
            Inbox(history.lazy.filter { $0.seq <= seq }, changes: changes.filter { $0.cursor < seq }, now: time),
            Inbox(history, changes: changes, now: now)
        )
    }
}
