import APNs
import HTTP
import JSON
import Simulation

/// A push as a file for `xcrun simctl push` and for dropping on the iOS Simulator.
struct SimulatorRendering {
    /// The payload with the app it is for.
    let json: [UInt8]

    /// Nil when the payload is no JSON object, which the simulator would not take.
    init?(_ entry: JournalEntry) {
        let request = entry.content.request
        var document = JSONDocument()
        guard document.parse(request.storage, in: request.bodyRange) == nil,
            document.kind(document.root) == .object
        else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("Simulator Target Bundle")
        writer.string(Self.bundleID(entry.content))
        for member in document.children(of: document.root) {
            guard let name = document.key(of: member), name != "Simulator Target Bundle" else { continue }
            writer.key(dynamic: name)
            writer.raw(request.storage[document.range(member)])
        }
        writer.endObject()
        json = writer.bytes + [UInt8(ascii: "\n")]
    }

    /// The topic without what the push type adds to it.
    private static func bundleID(_ content: JournalEntry.Content) -> String {
        let topic = content.request.text(.apnsTopic) ?? content.defaultTopic ?? ""
        let bytes = Array(topic.utf8)
        guard let suffix = PushType(suffixOf: bytes.span)?.row.topicSuffix else { return topic }
        return String(topic.dropLast(suffix.utf8CodeUnitCount))
    }
}
