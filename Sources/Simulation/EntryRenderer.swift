import APNs
package import JSON

/// Writes an entry as the JSON object that the inspection log and the admin API share.
///
/// The members that hold the entry's number come first: all others can be written before the number is known, outside of
/// the journal's lock.
package struct EntryRenderer: Sendable {
    /// The base URL of the admin API for `links.ui`; nil when there is none.
    package var adminBase: String? {
        didSet { interface = Self.interface(adminBase, namespace) }
    }
    /// The instance that ids begin with.
    package var instance: String {
        didSet { idStart = Self.idStart(instance) }
    }

    /// The namespace whose entries are written.
    package var namespace = Namespace.defaultName {
        didSet {
            namespaceMember = Self.namespaceMember(namespace)
            linkStart = Self.linkStart(namespace)
            interface = Self.interface(adminBase, namespace)
        }
    }

    /// Whether the three disputed reasons are spelt as in Apple's tables, as they then were in the answer.
    package var usesDocumentedSpelling = false

    /// `n_<instance>_`, escaped for JSON.
    private var idStart: [UInt8]
    /// The member with the namespace, and the begin of the next one.
    private(set) var namespaceMember = Self.namespaceMember(Namespace.defaultName)
    /// `/v1/requests/`, or the same of a namespace.
    private var linkStart = Self.linkStart(Namespace.defaultName)
    /// The begin of `links.ui`, escaped for JSON; empty when there is no admin API.
    private var interface: [UInt8]

    package init(instance: String, adminBase: String?) {
        self.instance = instance
        self.adminBase = adminBase
        idStart = Self.idStart(instance)
        interface = Self.interface(adminBase, Namespace.defaultName)
    }

    /// Adds the entry as one value.
    package func write(_ entry: JournalEntry, to writer: inout JSONWriter) {
        var scratch = RenderScratch()
        write(entry, to: &scratch)
        unsafe scratch.buffer.withBytes { unsafe writer.raw($0) }
    }

    /// The same with what the sender's conduct showed among the findings.
    package func write(_ entry: JournalEntry, showing remarks: [Conduct.Remark], to writer: inout JSONWriter) {
        if remarks.isEmpty { return write(entry, to: &writer) }
        var scratch = RenderScratch()
        scratch.remarks = remarks.map { Finding($0.code, message: $0.message) }
        write(entry, to: &scratch)
        unsafe scratch.buffer.withBytes { unsafe writer.raw($0) }
    }

    /// Adds the entry as one value without line breaks.
    package func write(_ entry: JournalEntry, to scratch: inout RenderScratch) {
        if let restored = entry.content.restored {
            writeHead(seq: entry.seq, id: restored.id, to: &scratch.buffer)
        } else {
            writeHead(seq: entry.seq, to: &scratch.buffer)
        }
        writeTail(entry, withHeaders: true, to: &scratch)
    }

    /// Adds the entries under numbers from `seq` on, with a line break behind each, for the log.
    ///
    /// The header fields of an accepted push stay out of it: each has a member of its own there, the disk gets a third less to
    /// write, and the admin API has them all.
    func writeLines(_ entries: [JournalEntry], from seq: UInt64, to scratch: inout RenderScratch) {
        var seq = seq
        for entry in entries {
            scratch.head.write(seq, self, to: &scratch.buffer)
            seq += 1
            let start = scratch.buffer.count
            writeTail(entry, withHeaders: entry.content.outcome != .accepted, to: &scratch)
            scratch.buffer.append("\n")
            scratch.tails.append(start..<scratch.buffer.count)
        }
    }

    /// Adds what is true of an entry that has a line already, for the log.
    func writeRevisedLine(_ entry: JournalEntry, to scratch: inout RenderScratch) {
        writeHead(seq: entry.seq, to: &scratch.buffer)
        writeTail(entry, withHeaders: true, to: &scratch)
        scratch.buffer.append("\n")
    }

    /// Adds an entry that was read out of another log, for the log; it keeps its id.
    func writeRestoredLine(_ entry: JournalEntry, _ id: String, seq: UInt64, to scratch: inout RenderScratch) {
        writeHead(seq: seq, id: id, to: &scratch.buffer)
        writeTail(entry, withHeaders: entry.content.outcome != .accepted, to: &scratch)
        scratch.buffer.append("\n")
    }

    /// The entry's id, "n_…"; it holds the number, so that an id finds its entry without a table. An entry that was read out
    /// of a log has the one that it had.
    package func id(of entry: JournalEntry) -> String {
        entry.content.restored?.id ?? id(seq: entry.seq)
    }

    /// The id of the entry with a number.
    package func id(seq: UInt64) -> String {
        "n_\(instance)_\(seq)"
    }

    /// The number in an id of this instance, or a number by itself; nil when it is neither.
    package func seq(ofID id: String) -> UInt64? {
        let prefix = "n_\(instance)_"
        let digits = id.hasPrefix(prefix) ? id.dropFirst(prefix.count) : id[...]
        guard let first = digits.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else { return nil }
        return UInt64(digits)
    }

    /// The members that hold the number, from the brace on.
    func writeHead(seq: UInt64, to buffer: inout LineBuffer) {
        buffer.append("{\"id\":\"")
        writeID(seq, to: &buffer)
        buffer.append("\",\"seq\":")
        buffer.append(integer: seq)
        buffer.append(",\"links\":{\"self\":\"")
        buffer.append(linkStart)
        writeID(seq, to: &buffer)
        buffer.append("\",\"raw\":\"")
        buffer.append(linkStart)
        writeID(seq, to: &buffer)
        buffer.append("/raw\"")
        if !interface.isEmpty {
            buffer.append(",\"ui\":\"")
            buffer.append(interface)
            writeID(seq, to: &buffer)
            buffer.append("\"")
        }
        buffer.append("}")
    }

    /// The same for an id of another run, which needs no escapes (``EntryReader/isID(_:)``).
    private func writeHead(seq: UInt64, id: String, to buffer: inout LineBuffer) {
        buffer.append("{\"id\":\"")
        buffer.append(text: id)
        buffer.append("\",\"seq\":")
        buffer.append(integer: seq)
        buffer.append(",\"links\":{\"self\":\"")
        buffer.append(linkStart)
        buffer.append(text: id)
        buffer.append("\",\"raw\":\"")
        buffer.append(linkStart)
        buffer.append(text: id)
        buffer.append("/raw\"")
        if !interface.isEmpty {
            buffer.append(",\"ui\":\"")
            buffer.append(interface)
            buffer.append(text: id)
            buffer.append("\"")
        }
        buffer.append("}")
    }

    private func writeID(_ seq: UInt64, to buffer: inout LineBuffer) {
        buffer.append(idStart)
        buffer.append(integer: seq)
    }

    private static func idStart(_ instance: String) -> [UInt8] {
        escaped("n_\(instance)_")
    }

    private static func namespaceMember(_ name: String) -> [UInt8] {
        Array(",\"namespace\":\"".utf8) + escaped(name) + Array("\",\"state\":".utf8)
    }

    private static func linkStart(_ name: String) -> [UInt8] {
        name == Namespace.defaultName ? Array("/v1/requests/".utf8) : escaped("/v1/ns/\(name)/requests/")
    }

    /// Where the web page shows an entry.
    private static func interface(_ base: String?, _ name: String) -> [UInt8] {
        base.map { escaped($0 + (name == Namespace.defaultName ? "/#/" : "/#/ns/\(name)/")) } ?? []
    }

    private static func escaped(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return Array(writer.bytes.dropFirst().dropLast())
    }
}
