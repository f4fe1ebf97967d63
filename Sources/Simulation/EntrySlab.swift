import HTTP

/// A run of entries in one piece of memory, for the many that nobody will ask for.
///
/// An ordinary accepted push is copied in, facts, fields and bytes one after the other, and its objects go while they are
/// still in the processor's caches; ten thousand pushes later its memory is written over without being looked at. Other
/// entries stay objects, and the slab keeps the reference. Entries are only added, so readers may look at those that they
/// know of while the journal's lock holder adds more.
@safe
final class EntrySlab: @unchecked Sendable {
    /// How many bytes a slab has.
    static let byteCount = 128 << 10
    /// How many references a slab can keep.
    static let referenceLimit = 256
    /// How far back a reference is looked for that was kept before.
    private static let searchLength = 8

    /// Where an entry stands, in an index that grows down from the end of the slab.
    private struct Slot {
        /// The place of the record; for an entry that stayed an object, its reference and ``objectMark``.
        var place: UInt32
        /// What the entry costs of the journal's limit.
        var cost: UInt32
    }

    /// What a record begins with, besides the facts.
    private struct Head {
        var seq: UInt64
        var afterMilliseconds: Int64
        var bodyStart: UInt32
        var byteCount: UInt32
        var fieldCount: UInt16
        var connection: UInt16
        var sender: UInt16
    }

    private static let objectMark: UInt32 = 1 << 31
    private static let alignment = 16
    private static let headOffset = aligned(MemoryLayout<JournalEntry.Facts>.size)
    private static let fieldOffset = headOffset + aligned(MemoryLayout<Head>.size)

    private let base: UnsafeMutableRawPointer
    private let references: UnsafeMutablePointer<AnyObject>
    private var referenceCount = 0
    private var used = 0
    /// How many entries it holds.
    private(set) var count = 0

    /// An empty slab.
    init() {
        unsafe base = .allocate(byteCount: Self.byteCount, alignment: Self.alignment)
        unsafe references = .allocate(capacity: Self.referenceLimit)
    }

    deinit {
        unsafe references.deinitialize(count: referenceCount)
        unsafe references.deallocate()
        unsafe base.deallocate()
    }

    /// Empties it for other entries; nobody else may know it.
    func reset() {
        unsafe references.deinitialize(count: referenceCount)
        referenceCount = 0
        used = 0
        count = 0
    }

    /// Adds an entry; false when there is no room.
    func append(_ entry: JournalEntry) -> Bool {
        let request = entry.content.request
        let byteCount = request.storage.count
        let fieldBytes = request.fields.count * MemoryLayout<HTTPRequest.Field>.stride
        let size = Self.aligned(Self.fieldOffset + fieldBytes + byteCount)
        guard let after = entry.afterMilliseconds, entry.content.isPackable, size <= Self.byteCount / 4 else {
            return appendObject(entry)
        }
        guard used + size <= Self.byteCount - (count + 1) * MemoryLayout<Slot>.stride,
            let connection = keep(entry.content.connection), let sender = keep(entry.content.sender)
        else { return false }
        let record = unsafe base + used
        unsafe record.initializeMemory(as: JournalEntry.Facts.self, to: entry.content.facts)
        unsafe (record + Self.headOffset).initializeMemory(
            as: Head.self,
            to: Head(
                seq: entry.seq, afterMilliseconds: after, bodyStart: UInt32(truncatingIfNeeded: request.bodyStart),
                byteCount: UInt32(truncatingIfNeeded: byteCount),
                fieldCount: UInt16(truncatingIfNeeded: request.fields.count), connection: connection, sender: sender))
        let fields = unsafe record + Self.fieldOffset
        unsafe request.fields.withUnsafeBytes { unsafe Self.copy($0, to: fields) }
        unsafe request.storage.withUnsafeBytes { unsafe Self.copy($0, to: fields + fieldBytes) }
        add(Slot(place: UInt32(truncatingIfNeeded: used), cost: UInt32(clamping: entry.cost)))
        used += size
        return true
    }

    /// The number of an entry.
    func seq(at position: Int) -> UInt64 {
        if let entry = object(at: position) { return entry.seq }
        return unsafe head(at: position).pointee.seq
    }

    /// What an entry costs of the journal's byte limit.
    func cost(at position: Int) -> Int {
        Int(unsafe slot(position).pointee.cost)
    }

    /// The entry, made anew when it was packed.
    func entry(at position: Int) -> JournalEntry {
        if let entry = object(at: position) { return entry }
        let record = unsafe base + Int(slot(position).pointee.place)
        let head = unsafe head(at: position).pointee
        let fields = unsafe UnsafeBufferPointer(
            start: (record + Self.fieldOffset).assumingMemoryBound(to: HTTPRequest.Field.self),
            count: Int(head.fieldCount))
        let bytes = unsafe UnsafeRawBufferPointer(
            start: record + Self.fieldOffset + fields.count * MemoryLayout<HTTPRequest.Field>.stride,
            count: Int(head.byteCount))
        let content = unsafe JournalEntry.Content(
            facts: record.assumingMemoryBound(to: JournalEntry.Facts.self).pointee,
            request: HTTPRequest(
                storage: [UInt8](bytes), fields: [HTTPRequest.Field](fields), bodyStart: Int(head.bodyStart)),
            connection: reference(head.connection), sender: reference(head.sender))
        return JournalEntry(content, seq: head.seq, afterMilliseconds: head.afterMilliseconds)
    }

    /// Whether the entry at this position stayed an object.
    func isObject(at position: Int) -> Bool {
        unsafe slot(position).pointee.place & Self.objectMark != 0
    }

    /// Lets go of an entry that stayed an object; nobody else may know the slab.
    func forgetObject(at position: Int) {
        unsafe references[Int(slot(position).pointee.place & ~Self.objectMark)] = SenderReference.none
    }

    /// The entry at this position, when it stayed an object.
    private func object(at position: Int) -> JournalEntry? {
        let place = unsafe slot(position).pointee.place
        guard place & Self.objectMark != 0 else { return nil }
        return unsafe unsafeDowncast(references[Int(place & ~Self.objectMark)], to: JournalEntry.self)
    }

    // MARK: References

    private func appendObject(_ entry: JournalEntry) -> Bool {
        guard used <= Self.byteCount - (count + 1) * MemoryLayout<Slot>.stride, let reference = add(entry) else {
            return false
        }
        add(Slot(place: UInt32(reference) | Self.objectMark, cost: UInt32(clamping: entry.cost)))
        return true
    }

    /// The index of a reference, which neighbours share.
    private func keep(_ object: AnyObject) -> UInt16? {
        var place = referenceCount
        let end = max(0, referenceCount - Self.searchLength)
        while place > end {
            place -= 1
            if unsafe references[place] === object { return UInt16(truncatingIfNeeded: place) }
        }
        return add(object)
    }

    private func add(_ object: AnyObject) -> UInt16? {
        guard referenceCount < Self.referenceLimit else { return nil }
        unsafe (references + referenceCount).initialize(to: object)
        referenceCount += 1
        return UInt16(truncatingIfNeeded: referenceCount - 1)
    }

    private func reference<Object: AnyObject>(_ place: UInt16) -> Object {
        unsafe unsafeDowncast(references[Int(place)], to: Object.self)
    }

    // MARK: Places

    private static func aligned(_ size: Int) -> Int {
        (size + alignment - 1) & ~(alignment - 1)
    }

    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe target.copyMemory(from: start, byteCount: bytes.count)
    }

    private func add(_ slot: Slot) {
        unsafe self.slot(count).initialize(to: slot)
        count += 1
    }

    private func slot(_ position: Int) -> UnsafeMutablePointer<Slot> {
        unsafe (base + (Self.byteCount - (position + 1) * MemoryLayout<Slot>.stride)).assumingMemoryBound(
            to: Slot.self)
    }

    private func head(at position: Int) -> UnsafeMutablePointer<Head> {
        unsafe (base + Int(slot(position).pointee.place) + Self.headOffset).assumingMemoryBound(to: Head.self)
    }
}

extension JournalEntry.Content {
    /// Whether nothing is lost when only facts, request, connection and sender are kept.
    fileprivate var isPackable: Bool {
        failures.isEmpty && findings.isEmpty && rareBox == nil && request.droppedBodyBytes == 0
            && request.fields.count <= Int(UInt16.max)
    }

    /// The content of a packed entry.
    fileprivate init(
        facts: JournalEntry.Facts, request: HTTPRequest, connection: PeerConnectionReference, sender: SenderReference
    ) {
        self.init(
            receivedAt: facts.receivedAt, serverTime: facts.serverTime, outcome: facts.outcome, request: request,
            connection: connection, sender: sender)
        self.facts = facts
    }
}
