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
        /// A stable word: "tls", "alpn", "client-certificate", "certificate", "http1", "http2", "headers",
        /// "refused", "goaway".
        package let cause: String
        /// The sentence for people, with the likely cause and the fix.
        package let explanation: String
        /// The first bytes the peer sent, where they are known.
        package let firstBytes: [UInt8]

        /// Whether the TLS handshake failed, so that nothing of HTTP was ever seen.
        package var isHandshake: Bool { ["tls", "alpn", "client-certificate"].contains(cause) }

        package init(cause: String, explanation: String, firstBytes: [UInt8] = []) {
            self.cause = cause
            self.explanation = explanation
            self.firstBytes = firstBytes
        }
    }

    /// Everything but the number; a plain value, made by `Simulator.decide`.
    ///
    /// What has no references stands in ``Facts`` and is reached through properties of the same names: the journal copies it
    /// as bytes when it packs entries (``EntrySlab``).
    package struct Content: Sendable {
        /// What has no references.
        var facts: Facts
        /// The request; empty for a breakage.
        package var request: HTTPRequest
        /// The connection.
        package var connection: PeerConnectionReference
        /// Who sent it, shared by all entries of a token.
        package var sender: SenderReference
        /// The checks that failed, in order; the first is the answer's.
        package var failures: [CheckFailure]
        package var findings: [Finding] = []
        /// What only few entries have; see ``rare``.
        var rareBox: RareBox?

        package init(
            receivedAt: Int64, serverTime: Int64, outcome: Outcome, request: HTTPRequest,
            connection: PeerConnectionReference, sender: SenderReference = .none, failures: [CheckFailure] = []
        ) {
            facts = Facts(receivedAt: receivedAt, serverTime: serverTime, outcome: outcome)
            self.request = request
            self.connection = connection
            self.sender = sender
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

    /// An entry that was packed, made anew.
    init(_ content: consuming Content, seq: UInt64, afterMilliseconds: Int64) {
        self.content = content
        number.store(seq, ordering: .relaxed)
        answeredAfter.store(afterMilliseconds, ordering: .relaxed)
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
