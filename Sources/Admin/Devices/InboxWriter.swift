import APNs
import JSON
import Simulation

/// How an answer shows what a device would be showing.
struct InboxWriter {
    let inbox: Inbox
    /// The id of the entry with a number.
    let id: (UInt64) -> String

    /// The members of the inbox, inside an object that is open.
    func write(to writer: inout JSONWriter) {
        writer.key("badge")
        writer.integer(inbox.badge)
        list("center", inbox.center, to: &writer, writeThread)
        list("liveActivities", inbox.activities, to: &writer, writeActivity)
        writer.key("silentWakeups")
        writer.integer(inbox.silentWakeups)
        list("handled", inbox.handled, to: &writer) { handled, writer in
            writer.key("id")
            writer.string(id(handled.seq))
            writer.key("pushType")
            writer.string(handled.pushType.rawValue)
        }
        list("stored", inbox.stored, to: &writer) { stored, writer in
            writer.key("id")
            writer.string(id(stored.seq))
            writer.key("until")
            writer.time(millisecondsSince1970: stored.until)
        }
        list("dropped", inbox.dropped, to: &writer) { dropped, writer in
            writer.key("id")
            writer.string(id(dropped.seq))
            writer.key("why")
            writer.string(dropped.cause.words(id))
        }
    }

    private func list<Item>(
        _ name: StaticString, _ items: [Item], to writer: inout JSONWriter,
        _ body: (Item, inout JSONWriter) -> Void
    ) {
        writer.key(name)
        writer.beginArray()
        for item in items {
            writer.beginObject()
            body(item, &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeThread(_ thread: Inbox.Thread, to writer: inout JSONWriter) {
        writer.key("topic")
        writer.string(thread.topic)
        writer.key("thread")
        writer.string(thread.thread)
        list("items", thread.items, to: &writer, writeNotification)
    }

    private func writeNotification(_ item: Inbox.Notification, to writer: inout JSONWriter) {
        writer.key("id")
        writer.string(id(item.seq))
        let texts: [(StaticString, String?)] = [
            ("title", item.title), ("subtitle", item.subtitle), ("body", item.body), ("sound", item.sound),
            ("category", item.category), ("interruptionLevel", item.interruptionLevel),
            ("collapseId", item.collapseID),
        ]
        for (name, text) in texts {
            writer.key(name)
            writer.string(text)
        }
        writer.key("deliveredAt")
        writer.time(millisecondsSince1970: item.deliveredAt)
        writer.key("replaces")
        writer.integer(item.replaces)
    }

    private func writeActivity(_ activity: InboxActivity, to writer: inout JSONWriter) {
        writer.key("id")
        writer.string(id(activity.seq))
        writer.key("topic")
        writer.string(activity.topic)
        writer.key("attributesType")
        writer.string(activity.attributesType)
        for (name, value) in [("attributes", activity.attributes), ("contentState", activity.contentState)]
            as [(StaticString, [UInt8]?)]
        {
            writer.key(name)
            if let value { writer.raw(value) } else { writer.null() }
        }
        writer.key("state")
        writer.string(activity.state.rawValue)
        writer.key("stale")
        writer.boolean(activity.isStale)
        writer.key("updates")
        writer.integer(activity.updates)
        writer.key("alerts")
        writer.integer(activity.alerts)
        let times: [(StaticString, Int64?)] = [
            ("startedAt", activity.startedAt), ("updatedAt", activity.updatedAt), ("staleAt", activity.staleAt),
            ("endedAt", activity.endedAt), ("dismissedAt", activity.dismissedAt),
        ]
        for (name, time) in times {
            writer.key(name)
            writer.time(millisecondsSince1970: time)
        }
    }

    // MARK: For people

    /// The inbox in lines.
    var text: String {
        var lines = ["badge \(inbox.badge.map { String($0) } ?? "not set")"]
        for thread in inbox.center {
            lines.append("\(thread.topic)\(thread.thread.map { "  thread \($0)" } ?? "")")
            for item in thread.items {
                let words = [item.title, item.subtitle, item.body].compactMap { $0 }.joined(separator: " - ")
                let replaces = item.replaces > 0 ? "  replaces \(item.replaces)" : ""
                lines.append("  \(id(item.seq))  \(words)\(replaces)")
            }
        }
        for activity in inbox.activities {
            let type = activity.attributesType ?? "Live Activity"
            let state = activity.isStale ? "\(activity.state.rawValue), stale" : activity.state.rawValue
            let content = activity.contentState.map { "  " + String(decoding: $0, as: UTF8.self) } ?? ""
            lines.append("\(type)  \(state)  \(activity.updates) updates\(content)")
        }
        if inbox.silentWakeups > 0 { lines.append("\(inbox.silentWakeups) silent wake-ups") }
        for handled in inbox.handled { lines.append("\(handled.pushType.rawValue)  \(id(handled.seq))") }
        for stored in inbox.stored { lines.append("stored   \(id(stored.seq))") }
        for dropped in inbox.dropped { lines.append("dropped  \(id(dropped.seq))  \(dropped.cause.words(id))") }
        return lines.map { $0.split(separator: "\n").joined(separator: " ") + "\n" }.joined()
    }
}
