import APNs
import Locking

/// What the sender's conduct showed so far: each entry is looked at once, in the order of numbers, when somebody asks or
/// before it is forgotten; the remarks last for the life of the journal.
struct ConductLedger: Sendable {
    private let closedBySender: @Sendable (UInt64) -> Int64?
    private var conduct: Conduct
    /// Every entry up to this number was looked at, or is gone.
    private(set) var through: UInt64 = 0
    /// What entries that are held showed, by their numbers.
    private(set) var remarks: [UInt64: [Conduct.Remark]] = [:]
    /// What was counted over the life of the journal.
    private(set) var tally = GateTally()

    /// How many remarks about entries that are gone may be kept before they are swept out.
    private static let slack = 1024

    /// A ledger that has seen nothing; `closedBySender` says when the sender closed a connection, see ``Conduct``.
    init(closedBySender: @escaping @Sendable (UInt64) -> Int64?) {
        self.closedBySender = closedBySender
        conduct = Conduct(closedBySender: closedBySender)
    }

    /// Looks at entries in ascending order; those that were looked at before are left out.
    mutating func take(_ entries: some Sequence<JournalEntry>) {
        for entry in entries where entry.seq > through {
            through = entry.seq
            let shown = conduct.see(entry)
            guard !shown.isEmpty else { continue }
            remarks[entry.seq] = shown
            guard entry.content.restored == nil else { continue }
            for remark in shown { tally.note(remark.code, remark.message, entry.seq) }
        }
    }

    /// The same for all that a snapshot holds; what was evicted before anybody looked is a gap.
    mutating func take(_ snapshot: Journal.Snapshot) {
        if snapshot.evictedThrough > through {
            tally.conductGap =
                "entries up to #\(snapshot.evictedThrough) were evicted before the sender's conduct was looked at; "
                + "a larger --max-entries or --max-bytes keeps them"
            through = snapshot.evictedThrough
        }
        take(snapshot.entries)
        through = max(through, snapshot.cursor)
        if remarks.count > 2 * snapshot.entries.count + Self.slack {
            let oldest = snapshot.oldest
            remarks = remarks.filter { $0.key >= oldest }
        }
    }

    /// The journal begins anew: what came before has no consequence for what comes.
    mutating func restart(after cursor: UInt64) {
        conduct = Conduct(closedBySender: closedBySender)
        remarks = [:]
        through = max(through, cursor)
    }

    /// Entries with these numbers were forgotten.
    mutating func forget(_ numbers: Set<UInt64>) {
        for number in numbers { remarks[number] = nil }
    }
}

/// The ledger of a journal, which looks at entries with the journal's lock and without it. Whoever has this lock takes no
/// other but that of the connections.
final class ConductWatch: Sendable {
    let closedBySender: @Sendable (UInt64) -> Int64?
    let state: Lock<ConductLedger>

    init(closedBySender: @escaping @Sendable (UInt64) -> Int64?) {
        self.closedBySender = closedBySender
        state = Lock(ConductLedger(closedBySender: closedBySender))
    }
}
