import APNs
import JSON
import Simulation

/// How an answer shows what a device shows.
struct PreviewWriter {
    let preview: Preview
    /// The entry's id; nil for a push that was not sent.
    let id: String?

    /// The preview as an object.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(id)
        writer.key("kind")
        writer.string(preview.kind.rawValue)
        writer.key("reachesDevice")
        writer.boolean(preview.reachesDevice)
        writer.key("note")
        writer.string(preview.note)
        writer.key("fate")
        writer.string(preview.fate)
        writer.key("faded")
        writer.boolean(preview.isFaded)
        writeApp(to: &writer)
        for (name, text) in [("title", preview.title), ("subtitle", preview.subtitle), ("body", preview.body)] {
            writer.key(dynamic: name)
            write(text, to: &writer)
        }
        writeAttention(to: &writer)
        writeAddress(to: &writer)
        writeRemarks(to: &writer)
        writer.key("activity")
        write(preview.activity, to: &writer)
        writer.endObject()
    }

    private func writeApp(to writer: inout JSONWriter) {
        writer.key("app")
        writer.beginObject()
        writer.key("bundleId")
        writer.string(preview.app.bundleID)
        writer.key("name")
        writer.string(preview.app.name)
        writer.key("letter")
        writer.string(preview.app.letter)
        writer.key("hue")
        writer.integer(preview.app.hue)
        writer.key("icon")
        writer.string(preview.app.icon)
        writer.endObject()
    }

    private func write(_ text: PreviewText?, to writer: inout JSONWriter) {
        guard let text else { return writer.null() }
        writer.beginObject()
        writer.key("text")
        writer.string(text.text)
        if let key = text.key {
            writer.key("key")
            writer.string(key)
            writer.key("arguments")
            writer.beginArray()
            for argument in text.arguments { writer.string(argument) }
            writer.endArray()
            writer.key("missing")
            writer.boolean(text.isMissing)
        }
        writer.endObject()
    }

    private func writeAttention(to writer: inout JSONWriter) {
        writer.key("badge")
        writer.integer(preview.badge)
        writer.key("shownBadge")
        writer.integer(preview.shownBadge)
        writer.key("sound")
        if let sound = preview.sound {
            writer.beginObject()
            writer.key("name")
            writer.string(sound.name)
            writer.key("critical")
            writer.boolean(sound.isCritical)
            writer.key("volume")
            writer.double(sound.volume)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.key("interruptionLevel")
        writer.string(preview.level.rawValue)
        writer.key("relevance")
        writer.double(preview.relevance)
    }

    private func writeAddress(to writer: inout JSONWriter) {
        let texts: [(StaticString, String?)] = [
            ("thread", preview.thread), ("category", preview.category), ("collapseId", preview.collapseID),
            ("caller", preview.caller),
        ]
        for (name, text) in texts {
            writer.key(name)
            writer.string(text)
        }
        writer.key("replaces")
        writer.integer(preview.replaces)
        writer.key("below")
        writer.integer(preview.below)
    }

    private func writeRemarks(to writer: inout JSONWriter) {
        writer.key("chips")
        writer.beginArray()
        for chip in preview.chips {
            writer.beginObject()
            writer.key("name")
            writer.string(chip.name)
            writer.key("text")
            writer.string(chip.text)
            writer.endObject()
        }
        writer.endArray()
        writer.key("links")
        writer.beginArray()
        for link in preview.links { writer.string(link) }
        writer.endArray()
    }

    private func write(_ activity: PreviewActivity?, to writer: inout JSONWriter) {
        guard let activity else { return writer.null() }
        writer.beginObject()
        writer.key("event")
        writer.string(activity.event?.rawValue)
        writer.key("attributesType")
        writer.string(activity.attributesType)
        write("attributes", activity.attributes, to: &writer)
        write("state", activity.state, to: &writer)
        writer.key("updates")
        writer.integer(activity.updates)
        writer.key("staleAt")
        writer.time(millisecondsSince1970: activity.staleAt)
        writer.key("stale")
        writer.boolean(activity.isStale)
        writer.key("dismissedAt")
        writer.time(millisecondsSince1970: activity.dismissedAt)
        writer.key("dismissed")
        writer.boolean(activity.isDismissed)
        writer.endObject()
    }

    private func write(_ name: StaticString, _ rows: [PreviewActivity.Row], to writer: inout JSONWriter) {
        writer.key(name)
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            writer.key("path")
            writer.string(row.path)
            writer.key("value")
            writer.string(row.value)
            writer.key("before")
            writer.string(row.before)
            writer.key("change")
            writer.string(row.change.rawValue)
            writer.endObject()
        }
        writer.endArray()
    }
}
