import APNs
import JSON
import Simulation
import TLS

/// Writes a connection for the admin API.
enum ConnectionWriter {
    /// The object.
    static func write(_ record: ConnectionRecord.Snapshot, to writer: inout JSONWriter) {
        let details = record.details
        let facts = details.facts.value
        writer.beginObject()
        writer.key("id")
        writer.string("c\(record.id)")
        writer.key("state")
        writer.string(details.state.rawValue)
        writer.key("listener")
        writer.beginObject()
        writer.key("kind")
        writer.string(record.listenerKind)
        writer.key("address")
        writer.string(facts.listener)
        writer.endObject()
        writer.key("peer")
        writer.string(facts.peer)
        writer.key("environment")
        writer.string(facts.environment.rawValue)
        writer.key("openedAt")
        writer.time(millisecondsSince1970: record.openedAt)
        writer.key("endedAt")
        if let time = details.endedAt { writer.time(millisecondsSince1970: time) } else { writer.null() }
        writer.key("end")
        write(details.end, to: &writer)
        writer.key("protocol")
        write(details.httpVersion, to: &writer)
        write(tls: facts, to: &writer)
        write(record.counters, to: &writer)
        write(details.goAways, to: &writer)
        write(details.breakage, to: &writer)
        writer.endObject()
    }

    /// The connection in a line.
    static func line(_ record: ConnectionRecord.Snapshot) -> String {
        let details = record.details
        let facts = details.facts.value
        let counters = record.counters
        var words = ["c\(record.id)", details.state.rawValue.uppercased(), record.listenerKind, facts.peer]
        words += [details.httpVersion, facts.tlsVersion, facts.serverName].compactMap(\.self)
        words.append("\(counters.requests) requests")
        if let end = details.end { words.append("(\(end))") }
        return words.joined(separator: " ") + "\n"
    }

    private static func write(tls facts: PeerConnection, to writer: inout JSONWriter) {
        writer.key("tls")
        guard let version = facts.tlsVersion else { return writer.null() }
        writer.beginObject()
        writer.key("version")
        writer.string(version)
        for (name, value) in [("cipher", facts.cipher), ("serverName", facts.serverName), ("alpn", facts.alpn)] {
            writer.key(dynamic: name)
            write(value, to: &writer)
        }
        writer.key("clientCertificate")
        if let certificate = facts.certificate {
            writer.beginObject()
            writer.key("subject")
            writer.string(certificate.subject)
            writer.key("serial")
            writer.string(certificate.serial)
            writer.key("fingerprint")
            writer.string(certificate.fingerprint)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.endObject()
    }

    private static func write(_ counters: ConnectionRecord.Counters, to writer: inout JSONWriter) {
        writer.key("requests")
        writer.integer(counters.requests)
        writer.key("streams")
        writer.beginObject()
        writer.key("opened")
        writer.integer(counters.streamsOpened)
        writer.key("open")
        writer.integer(counters.openStreams)
        writer.endObject()
        writer.key("paused")
        writer.boolean(counters.isPaused)
    }

    private static func write(_ goAways: [ConnectionRecord.GoAway], to writer: inout JSONWriter) {
        writer.key("goAways")
        writer.beginArray()
        for goAway in goAways {
            writer.beginObject()
            writer.key("at")
            writer.time(millisecondsSince1970: goAway.at)
            writer.key("code")
            writer.string(goAway.code)
            writer.key("lastStream")
            writer.integer(goAway.lastStream)
            writer.key("debugData")
            writer.string(goAway.debugData)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ breakage: JournalEntry.Breakage?, to writer: inout JSONWriter) {
        writer.key("failure")
        guard let breakage else { return writer.null() }
        writer.beginObject()
        writer.key("cause")
        writer.string(breakage.cause)
        writer.key("explanation")
        writer.string(breakage.explanation)
        writer.endObject()
    }

    private static func write(_ text: String?, to writer: inout JSONWriter) {
        if let text { writer.string(text) } else { writer.null() }
    }
}
