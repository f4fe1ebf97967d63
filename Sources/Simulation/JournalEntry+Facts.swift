package import APNs
package import HTTP

extension JournalEntry {
    /// What an entry knows in numbers, places and words of ours: nothing here has a reference, so that it can be copied as
    /// bytes.
    struct Facts: Sendable {
        var receivedAt: Int64
        var serverTime: Int64
        var expiration: Int64?
        var requestsOnConnection = 0
        var payloadLimit = 4096
        var unmade = CheckSet()
        var stream: Int32 = 0
        var device = ByteRange.absent
        var topic = ByteRange.absent
        var collapseID = ByteRange.absent
        var payload = PayloadFacts()
        var apnsID: UUIDText?
        var apnsUniqueID: UUIDText?
        var status: UInt16 = 0
        var outcome: Outcome
        var environment: Environment = .sandbox
        var profile: Profile = .strict
        var pushType: PushType?
        var isPushTypeInferred = false
        var priority: UInt8 = 10
        var reason: Reason?

        init(receivedAt: Int64, serverTime: Int64, outcome: Outcome) {
            self.receivedAt = receivedAt
            self.serverTime = serverTime
            self.outcome = outcome
        }
    }
}

extension JournalEntry.Content {
    /// Whether the facts may be copied as bytes, as the journal does.
    package static var isFactsTrivial: Bool { _isPOD(JournalEntry.Facts.self) }

    /// When the body was complete: milliseconds since 1970 by the machine's clock.
    package var receivedAt: Int64 {
        get { facts.receivedAt }
        set { facts.receivedAt = newValue }
    }
    /// The same on the server's clock, which a test can freeze.
    package var serverTime: Int64 {
        get { facts.serverTime }
        set { facts.serverTime = newValue }
    }
    /// How it ended.
    package var outcome: JournalEntry.Outcome {
        get { facts.outcome }
        set { facts.outcome = newValue }
    }
    /// The stream of the connection.
    package var stream: Int32 {
        get { facts.stream }
        set { facts.stream = newValue }
    }
    /// How many requests came before on this connection, plus one.
    package var requestsOnConnection: Int {
        get { facts.requestsOnConnection }
        set { facts.requestsOnConnection = newValue }
    }
    /// Sandbox or production.
    package var environment: Environment {
        get { facts.environment }
        set { facts.environment = newValue }
    }
    /// How strictly it was judged.
    package var profile: Profile {
        get { facts.profile }
        set { facts.profile = newValue }
    }
    /// The push type of the header or, without one, the inferred one; nil when the header's is unknown.
    package var pushType: PushType? {
        get { facts.pushType }
        set { facts.pushType = newValue }
    }
    /// Whether the push type was inferred because the request has no `apns-push-type`.
    package var isPushTypeInferred: Bool {
        get { facts.isPushTypeInferred }
        set { facts.isPushTypeInferred = newValue }
    }
    /// Where the device token lies in the request's storage.
    package var device: Range<Int>? {
        get { facts.device.range }
        set { facts.device = newValue.map { ByteRange($0) } ?? .absent }
    }
    /// Where the topic lies in the request's storage, suffix included; nil without the header.
    package var topic: Range<Int>? {
        get { facts.topic.range }
        set { facts.topic = newValue.map { ByteRange($0) } ?? .absent }
    }
    /// Where the collapse id lies in the request's storage.
    package var collapseID: Range<Int>? {
        get { facts.collapseID.range }
        set { facts.collapseID = newValue.map { ByteRange($0) } ?? .absent }
    }
    /// The value of `apns-expiration` in seconds since 1970; nil without a valid one.
    package var expiration: Int64? {
        get { facts.expiration }
        set { facts.expiration = newValue }
    }
    /// The priority that counts.
    package var priority: UInt8 {
        get { facts.priority }
        set { facts.priority = newValue }
    }
    /// The id of the notification.
    package var apnsID: UUIDText? {
        get { facts.apnsID }
        set { facts.apnsID = newValue }
    }
    /// The id in Apple's console, which only the sandbox gives.
    package var apnsUniqueID: UUIDText? {
        get { facts.apnsUniqueID }
        set { facts.apnsUniqueID = newValue }
    }
    /// How many bytes the payload may have.
    package var payloadLimit: Int {
        get { facts.payloadLimit }
        set { facts.payloadLimit = newValue }
    }
    /// The status of the answer; 0 when there was none.
    package var status: UInt16 {
        get { facts.status }
        set { facts.status = newValue }
    }
    /// The reason of a refusal.
    package var reason: Reason? {
        get { facts.reason }
        set { facts.reason = newValue }
    }
    /// The checks that could not be made, since what they look at was missing or unreadable.
    package var unmade: CheckSet {
        get { facts.unmade }
        set { facts.unmade = newValue }
    }
    /// What is known of the payload; the views read it again when nobody has looked.
    package var payload: PayloadFacts {
        get { facts.payload }
        set { facts.payload = newValue }
    }
    /// How the sender proved who it is.
    package var authentication: JournalEntry.Authentication {
        get { sender.value }
        set { sender = SenderReference(newValue) }
    }
}
