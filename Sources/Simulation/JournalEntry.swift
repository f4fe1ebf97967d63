package import APNs
package import HTTP
import Synchronization

/// One thing that happened, as the inspection log keeps it: a push accepted, refused or faulted, or a connection that
/// broke before it became a request.
///
/// It holds what cannot be computed again. Everything a view shows beside it (display, links, the list of passed checks)
/// is derived when somebody asks, so that an accepted push costs few allocations.
package final class JournalEntry: Sendable {
    /// How it ended.
    package enum Outcome: String, Sendable, CaseIterable {
        case accepted, rejected, faulted, broken
    }

    /// How the sender proved who it is.
    package enum Authentication: Sendable {
        case none
        /// A provider token; `issuedAt` in seconds since 1970, `signature` as shown ("verified", "unknown key").
        case token(keyID: String, teamID: String, issuedAt: Double, signature: StaticString)
        case certificate(subject: String)
    }

    /// What is shown for a connection that never became a request.
    package struct Breakage: Sendable {
        /// A stable word: "tls", "alpn", "http1", "http2", "headers".
        package let cause: String
        /// The sentence for people, with the likely cause and the fix.
        package let explanation: String
        /// The first bytes the peer sent, where they are known.
        package let firstBytes: [UInt8]

        /// Whether the TLS handshake failed, so that nothing of HTTP was ever seen.
        package var isHandshake: Bool { cause == "tls" || cause == "alpn" }

        package init(cause: String, explanation: String, firstBytes: [UInt8] = []) {
            self.cause = cause
            self.explanation = explanation
            self.firstBytes = firstBytes
        }
    }

    /// Everything but the number; a plain value, made by `Simulator.decide`.
    package struct Content: Sendable {
        /// When the body was complete: milliseconds since 1970 by the machine's clock.
        package var receivedAt: Int64
        /// The same on the server's clock, which a test can freeze.
        package var serverTime: Int64
        package var outcome: Outcome
        /// The request; empty for a breakage.
        package var request: HTTPRequest
        /// The connection.
        package var connection: PeerConnectionReference
        package var stream: Int32 = 0
        /// How many requests came before on this connection, plus one.
        package var requestsOnConnection: Int = 0
        package var environment: Environment = .sandbox
        package var profile: Profile = .strict
        /// The push type of the header or, without one, the inferred one; nil when the header's is unknown.
        package var pushType: PushType?
        /// Whether the push type was inferred because the request has no `apns-push-type`.
        package var isPushTypeInferred = false
        /// Where the device token lies in the request's storage.
        package var device: Range<Int>?
        /// Where the topic lies in the request's storage, suffix included; nil without the header.
        package var topic: Range<Int>?
        /// Where the collapse id lies in the request's storage.
        package var collapseID: Range<Int>?
        /// The value of `apns-expiration` in seconds since 1970; nil without a valid one.
        package var expiration: Int64?
        package var priority: UInt8 = 10
        package var apnsID: UUIDText?
        package var apnsUniqueID: UUIDText?
        package var payloadLimit: Int = 4096
        package var authentication: Authentication
        /// The status of the answer; 0 when there was none.
        package var status: UInt16 = 0
        package var reason: Reason?
        /// The checks that failed, in order; the first is the answer's.
        package var failures: [CheckFailure]
        /// The checks that could not be made, since what they look at was missing or unreadable.
        package var unmade = CheckSet()
        package var findings: [Finding] = []
        /// What is known of the payload; the views read it again when nobody has looked.
        package var payload = PayloadFacts()
        /// What only few entries have; see ``rare``.
        var rareBox: RareBox?

        package init(
            receivedAt: Int64, serverTime: Int64, outcome: Outcome, request: HTTPRequest,
            connection: PeerConnectionReference, authentication: Authentication = .none, failures: [CheckFailure] = []
        ) {
            self.receivedAt = receivedAt
            self.serverTime = serverTime
            self.outcome = outcome
            self.request = request
            self.connection = connection
            self.authentication = authentication
            self.failures = failures
        }
    }

    /// What happened.
    package let content: Content
    private let number = Atomic<UInt64>(0)
    private let answeredAfter = Atomic<Int64>(-1)

    /// An entry without a number yet.
    package init(_ content: consuming Content) {
        self.content = content
    }

    /// The entry's place in the journal, from 1; 0 before it is journaled.
    package var seq: UInt64 { number.load(ordering: .relaxed) }

    /// Gives the entry its place; called once, by the journal.
    package func assign(seq: UInt64) {
        number.store(seq, ordering: .relaxed)
    }

    /// Milliseconds from the complete request to the answer; nil while it is pending.
    package var afterMilliseconds: Int64? {
        let value = answeredAfter.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }

    /// Records that the answer went out.
    package func answered(afterMilliseconds milliseconds: Int64) {
        answeredAfter.store(milliseconds, ordering: .relaxed)
    }

    /// What the entry costs of the journal's byte limit.
    package var cost: Int {
        content.request.storage.count + content.request.fields.count * 16 + 512
    }
}
