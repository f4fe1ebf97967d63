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
    /// Milliseconds by the machine's clock when the answer left, or just before the request when that is not known. What comes
    /// at that time or before was sent in ignorance of the answer.
    let answeredAt: Int64
    /// Whether our own `send` sent it.
    var isOwn: Bool { content.request.text(.userAgent)?.hasPrefix(Self.ownAgent) ?? false }
    /// What a sentence about times must say beside them; empty while the server's clock is the machine's.
    var clockWords: String { content.serverClockWords }

    init(_ entry: JournalEntry) {
        content = entry.content
        let request = content.request
        device = content.device.map { request.text(in: $0).lowercased() } ?? ""
        topic = request.text(.apnsTopic) ?? content.defaultTopic ?? ""
        time = content.receivedAt
        answeredAt = time + (entry.afterMilliseconds ?? -1)
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

    /// How the user agent of our own `send` begins.
    static let ownAgent = "mock-apns/"
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func hash(_ bytes: ArraySlice<UInt8>, _ start: UInt64) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
