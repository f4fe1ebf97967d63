import JSON

/// The end of an inspection log, put back into the journals of a server that starts.
///
/// Each namespace gets the entries that its journal can hold, under the numbers that they had. Numbers that do not go on
/// downwards, seen from the end, are those of an earlier run that was not resumed; they and all before them stay in the file.
/// An id that stands there twice, since its entry was imported again after a reset, is taken once, from its last line.
package struct LogResume {
    /// A line that is no entry.
    package struct BrokenLine: Sendable, Equatable {
        /// The number of the line from 1; nil for one too far from the begin of the file.
        package let number: Int?
        /// Where it begins in the file.
        package let offset: Int
        /// What is wrong with it.
        package let why: String

        /// The place for people.
        package var place: String { number.map { "line \($0)" } ?? "the line at byte \(offset)" }
    }

    /// How much of a log may be read in any case, however little the journals hold.
    package static let leastReading = 1 << 20
    /// How many broken lines are named; all are counted.
    package static let namedBrokenLines = 3

    /// How many entries came back, by namespace, `default` first.
    package private(set) var loaded: [(namespace: String, count: Int)] = []
    /// How many entries of namespaces that do not exist were passed over, by name.
    package private(set) var passedOver: [String: Int] = [:]
    /// How many namespaces that do not exist are named.
    package static let namedNamespaces = 5

    /// The same in words: "suite-1 (12), suite-2 (3) and 40 more".
    package var passedOverWords: String {
        let words = passedOver.sorted { $0.key < $1.key }.prefix(Self.namedNamespaces).map { "\($0.key) (\($0.value))" }
        let more = passedOver.count - words.count
        return words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// The last lines that are no entries.
    package private(set) var brokenLines: [BrokenLine] = []
    package private(set) var brokenCount = 0
    /// The highest number of a connection; those that come have higher ones.
    package private(set) var lastConnection: UInt64 = 0
    /// How much of the file was read.
    package private(set) var bytesRead = 0
    /// How many lines of runs before were left in the file; nil when there are none, and when it is not cheap to know: with
    /// several namespaces, or beyond ``countingLimit``.
    package private(set) var leftBehind: Int?
    /// How far from the begin of a log its lines are counted.
    package static let countingLimit = 8 << 20

    /// What is found for a namespace, from the last entry to the first.
    private struct Basket {
        let namespace: Namespace
        var entries: [JournalEntry] = []
        var ids: Set<String> = []
        /// The last that was said of entries whose first lines are not reached yet, by their ids.
        var revisions: [String: JournalEntry] = [:]
        /// The number of the last entry, whether or not there is room for it; 0 until it is found.
        var highest: UInt64 = 0
        /// The lowest number of those that came back; above the highest when none did.
        var lowest: UInt64 = 0
        var bytes = 0
        var isFull = false
        /// Whether the line just read is of an earlier run, or the first of this one.
        var end: End?
    }

    /// Where a run begins.
    private enum End { case before, within }

    private var baskets: [Basket]
    private var reader = EntryReader()
    private var document = JSONDocument()

    /// Reads the end of a log and fills the journals, which must be empty. Of the file no more is read than
    /// journals may hold together.
    package init(path: String, into worlds: Worlds) {
        baskets = worlds.all.map { Basket(namespace: $0) }
        let budget = worlds.budget.limit
        let readingLimit = max(budget, Self.leastReading)
        guard var tail = LogTail(path: path) else { return }
        var bytes = 0
        // Of a namespace for which there is no room the last line is wanted all the same: numbers go on above it.
        while baskets.contains(where: { !$0.isFull && (bytes < budget || $0.highest == 0) }),
            tail.bytesRead <= readingLimit, let line = tail.previous()
        {
            do throws(EntryReader.Fault) {
                bytes += try take(line.bytes, hasRoom: bytes < budget)
                if baskets.count == 1, let end = baskets[0].end { countLines(before: line.offset, end, tail) }
            } catch {
                let isNamed = brokenLines.count < Self.namedBrokenLines
                note(error, offset: line.offset, number: isNamed ? tail.number(ofLineAt: line.offset) : nil)
            }
        }
        bytesRead = tail.bytesRead
        for basket in baskets {
            guard basket.highest > 0 else { continue }
            basket.namespace.simulator.journal.resume(
                basket.entries.reversed(), cursor: basket.highest, oldest: basket.lowest)
            if !basket.entries.isEmpty { loaded.append((basket.namespace.name, basket.entries.count)) }
        }
    }

    private mutating func countLines(before offset: Int, _ end: End, _ tail: borrowing LogTail) {
        guard offset <= Self.countingLimit, let number = tail.number(ofLineAt: offset) else { return }
        let count = end == .before ? number : number - 1
        leftBehind = count > 0 ? count : nil
    }

    /// Takes a line into the basket of its namespace; returns what it costs of the memory of all.
    private mutating func take(_ line: [UInt8], hasRoom: Bool) throws(EntryReader.Fault) -> Int {
        guard !line.isEmpty else {
            throw EntryReader.Fault("", "it is empty, or longer than \(LogTail.lineLimit) bytes")
        }
        if let fault = document.parse(line) {
            throw EntryReader.Fault("", "it is not JSON: \(fault.message) (column \(fault.column))")
        }
        guard let object = EntryObject(document, document.root) else {
            throw EntryReader.Fault("", "it is a JSON \(document.kind(document.root)); expected an object")
        }
        let name = try object.optionalText("namespace") ?? Namespace.defaultName
        guard let place = baskets.firstIndex(where: { $0.namespace.name == name }) else {
            passedOver[name, default: 0] += 1
            return 0
        }
        guard !baskets[place].isFull else { return 0 }
        let entry = try reader.entry(object)
        let id = entry.content.restored?.id ?? ""
        if entry.content.rare.isRevised, object.object("restored") == nil {
            if baskets[place].revisions[id] == nil { baskets[place].revisions[id] = entry }
            lastConnection = max(lastConnection, entry.content.connection.value.id)
            return entry.cost
        }
        return take(baskets[place].revisions.removeValue(forKey: id) ?? entry, place, hasRoom: hasRoom)
    }

    private mutating func take(_ entry: JournalEntry, _ place: Int, hasRoom: Bool) -> Int {
        let limits = baskets[place].namespace.simulator.journal.limits
        lastConnection = max(lastConnection, entry.content.connection.value.id)
        if baskets[place].highest > 0, entry.seq >= baskets[place].lowest {
            baskets[place].isFull = true
            baskets[place].end = .before
            return 0
        }
        if baskets[place].highest == 0 {
            baskets[place].highest = entry.seq
            baskets[place].lowest = entry.seq + 1
        }
        let isTaken = baskets[place].ids.contains(entry.content.restored?.id ?? "")
        guard isTaken || hasRoom && baskets[place].bytes + entry.cost <= limits.bytes else {
            baskets[place].isFull = true
            return 0
        }
        baskets[place].lowest = entry.seq
        if entry.seq == 1 {
            baskets[place].isFull = true
            baskets[place].end = .within
        }
        guard !isTaken else { return 0 }
        baskets[place].ids.insert(entry.content.restored?.id ?? "")
        baskets[place].entries.append(entry)
        baskets[place].bytes += entry.cost
        if baskets[place].entries.count >= limits.entries { baskets[place].isFull = true }
        return entry.cost
    }

    private mutating func note(_ fault: EntryReader.Fault, offset: Int, number: Int?) {
        brokenCount += 1
        guard brokenLines.count < Self.namedBrokenLines else { return }
        brokenLines.append(
            BrokenLine(
                number: number, offset: offset,
                why: fault.path.isEmpty ? fault.message : "\(fault.path): \(fault.message)"))
    }
}
