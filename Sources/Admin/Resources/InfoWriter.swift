import APNs
import JSON
import Simulation

/// Writes the facts of `GET /v1/info`.
struct InfoWriter {
    private let call: AdminCall
    private let info: AdminEnvironment.Info

    init(_ call: AdminCall) {
        self.call = call
        info = call.environment.info()
    }

    /// The object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("version")
        writer.string(info.version)
        writer.key("instance")
        writer.string(info.instance)
        writer.key("pid")
        writer.integer(info.pid)
        writer.key("profile")
        writer.string(call.simulator.configuration.profile.rawValue)
        writer.key("seed")
        writer.integer(info.seed)
        let now = call.simulator.clock.now()
        writer.key("startedAt")
        writer.time(millisecondsSince1970: info.startedAtMilliseconds)
        writer.key("uptimeMs")
        writer.integer(max(0, now.machine - info.startedAtMilliseconds))
        writeListeners(to: &writer)
        writeCredentials(to: &writer)
        writeLimits(to: &writer)
        writeJournal(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func writeListeners(to writer: inout JSONWriter) {
        writer.key("listeners")
        writer.beginArray()
        for listener in info.listeners {
            writer.beginObject()
            writer.key("kind")
            writer.string(listener.kind)
            writer.key("address")
            writer.string(listener.address)
            if !listener.environment.isEmpty {
                writer.key("environment")
                writer.string(listener.environment)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeCredentials(to writer: inout JSONWriter) {
        writer.key("ca")
        writer.beginObject()
        writer.key("file")
        writer.string(info.authorityFile)
        writer.key("fingerprint")
        writer.string(info.authorityFingerprint)
        writer.endObject()
        writer.key("key")
        writer.beginObject()
        writer.key("keyId")
        writer.string(info.keyID)
        writer.key("teamId")
        writer.string(info.teamID)
        writer.key("file")
        writer.string(info.keyFile)
        writer.endObject()
        writer.key("logFile")
        if let file = info.logFile { writer.string(file) } else { writer.null() }
    }

    private func writeLimits(to writer: inout JSONWriter) {
        let limits = call.journal.limits
        let rows: [(StaticString, Int)] = [
            ("journalEntries", limits.entries), ("journalBytes", limits.bytes),
            ("devices", DeviceStore.limit),
            ("payloadBytes", call.simulator.configuration.payloadLimit), ("waiters", AdminLimits.waiters),
            ("waitMs", Int(AdminLimits.wait)), ("pageItems", AdminLimits.page),
            ("adminBodyBytes", AdminLimits.bodyBytes),
        ]
        writer.key("limits")
        writer.beginObject()
        for (name, value) in rows {
            writer.key(name)
            writer.integer(value)
        }
        writer.endObject()
    }

    private func writeJournal(to writer: inout JSONWriter) {
        let statistics = call.journal.statistics
        let rows: [(StaticString, UInt64)] = [
            ("cursor", call.journal.cursor), ("entries", UInt64(statistics.entries)),
            ("bytes", UInt64(statistics.bytes)), ("evicted", statistics.evicted), ("accepted", statistics.accepted),
            ("rejected", statistics.rejected), ("faulted", statistics.faulted), ("broken", statistics.broken),
            ("waiters", UInt64(call.waiters)),
        ]
        writer.key("journal")
        writer.beginObject()
        for (name, value) in rows {
            writer.key(name)
            writer.integer(value)
        }
        writer.endObject()
    }
}
