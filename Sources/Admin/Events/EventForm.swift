import JSON
import Simulation

/// How events are written.
enum EventForm: Sendable {
    /// Server-sent events, for browsers.
    case serverSent
    /// One JSON object a line.
    case lines
    /// One line for people for each entry.
    case text

    /// The form that a guest asks for.
    init(accept: String?, _ preference: ContentPreference) {
        let accept = (accept ?? "").lowercased()
        if accept.contains("application/x-ndjson") || accept.contains("application/jsonl") {
            self = .lines
        } else if accept.contains("text/event-stream") || preference != .text {
            self = .serverSent
        } else {
            self = .text
        }
    }

    var type: AdminResponse.MediaType {
        switch self {
        case .serverSent: .events
        case .lines: .lines
        case .text: .text
        }
    }

    /// An event that is no entry, with an object of data.
    func event(_ type: EventType, id: UInt64, data: [UInt8]) -> [UInt8] {
        switch self {
        case .serverSent:
            return Array("id: \(id)\nevent: \(type.rawValue)\ndata: ".utf8) + data + Array("\n\n".utf8)
        case .lines:
            // The type becomes a member of the object itself.
            let begin = #"{"event":"\#(type.rawValue)""# + (data.count > 2 ? "," : "")
            return Array(begin.utf8) + data.dropFirst() + [UInt8(ascii: "\n")]
        case .text:
            guard type != .hello else { return [] }
            return Array("--- \(type.rawValue) ".utf8) + data + [UInt8(ascii: "\n")]
        }
    }

    /// Entries, as many as they are.
    func entries(_ entries: [JournalEntry], _ renderer: EntryRenderer) -> [UInt8] {
        if case .text = self { return Array(EntryLines(entries).text.utf8) }
        var bytes: [UInt8] = []
        for entry in entries {
            var writer = JSONWriter()
            renderer.write(entry, to: &writer)
            bytes += event(EventType(entry), id: entry.seq, data: writer.bytes)
        }
        return bytes
    }

    /// An entry that had waited and has its answer. The id is not the entry's, from which a guest that comes back would hear
    /// everything behind it again.
    func completed(_ entry: JournalEntry, id: UInt64, _ renderer: EntryRenderer) -> [UInt8] {
        if case .text = self { return Array("--- completed \(EntryLines([entry]).text)".utf8) }
        var writer = JSONWriter()
        renderer.write(entry, to: &writer)
        return event(.completed, id: id, data: writer.bytes)
    }

    /// A connection that has opened or closed.
    func connection(_ connection: ConnectionRecord.Snapshot, id: UInt64) -> [UInt8] {
        if case .text = self { return Array("--- connection \(ConnectionWriter.line(connection))".utf8) }
        var writer = JSONWriter()
        ConnectionWriter.write(connection, to: &writer)
        return event(.connection, id: id, data: writer.bytes)
    }

    /// What says that the server is still there.
    func heartbeat(cursor: UInt64) -> [UInt8] {
        switch self {
        case .serverSent: Array(": keep-alive\n\n".utf8)
        case .lines: Array("{\"event\":\"heartbeat\",\"cursor\":\(cursor)}\n".utf8)
        case .text: []
        }
    }
}
