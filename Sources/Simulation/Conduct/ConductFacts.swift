import APNs
import HTTP

/// What the trackers look at of an entry, computed once.
struct ConductFacts {
    let content: JournalEntry.Content
    /// The device token in lower case.
    let device: String
    let topic: String
    /// Hashes of the body, of the provider token as it was sent, and of all that makes two requests the same.
    let body: UInt64
    let token: UInt64?
    let request: UInt64
    /// Milliseconds by the machine's clock.
    let time: Int64

    init(_ entry: JournalEntry) {
        content = entry.content
        let request = content.request
        device = content.device.map { request.text(in: $0).lowercased() } ?? ""
        topic = request.text(.apnsTopic) ?? content.defaultTopic ?? ""
        time = content.receivedAt
        body = Self.hash(request.storage[request.bodyRange], Self.seed)
        token = request.valueRange(.authorization).map { Self.hash(request.storage[$0], Self.seed) }
        var hash = body
        for name in [
            HeaderName.method, .path, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .apnsCollapseID,
        ] {
            hash = Self.hash(request.valueRange(name).map { request.storage[$0] } ?? [], hash &+ 1)
        }
        self.request = hash
    }

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func hash(_ bytes: ArraySlice<UInt8>, _ start: UInt64) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
