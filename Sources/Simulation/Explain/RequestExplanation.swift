package import APNs
package import HTTP
import JSON

/// What would become of a request, and why.
package struct RequestExplanation: Sendable {
    /// How one check would go.
    package enum Verdict: Sendable {
        case passed
        case failed(CheckFailure)
        /// What it looks at is missing or unreadable, or the settings leave it out.
        case notMade
    }

    /// What the entry would hold.
    package let content: JournalEntry.Content
    /// What would be sent.
    package let response: HTTPResponse
    /// Every check of such a request, in order.
    package let checks: [(check: Check, verdict: Verdict)]
    let usesDocumentedSpelling: Bool

    init(_ decision: Decision, usesDocumentedSpelling: Bool) {
        let content = decision.entry.content
        self.content = content
        response = decision.response
        self.usesDocumentedSpelling = usesDocumentedSpelling
        let unmade = content.unmadeChecks
        checks = (content.channelRequest?.order ?? Check.deviceOrder).map { check in
            if let failure = content.failures.first(where: { $0.check == check }) { return (check, .failed(failure)) }
            return (check, unmade.contains(check) ? .notMade : .passed)
        }
    }

    /// Whether it would be accepted.
    package var isAccepted: Bool { content.failures.isEmpty }

    /// Whether it would be accepted or refused, or met by a fault of a script.
    var verdict: StaticString {
        if content.outcome == .faulted { return "faulted" }
        return isAccepted ? "accepted" : "refused"
    }

    func spelling(_ reason: Reason) -> StaticString { reason.spelling(documented: usesDocumentedSpelling) }

    /// Where the bytes of the payload go; no parts unless it is a JSON object.
    var sizes: (parts: [PayloadSize.Part], compactBytes: Int) {
        let request = content.request
        var document = JSONDocument()
        guard !request.bodyRange.isEmpty, document.parse(request.storage, in: request.bodyRange) == nil else {
            return ([], request.bodyBytesReceived)
        }
        return (
            PayloadSize(document, limit: content.payloadLimit).parts,
            PayloadSize.compact(request.storage[request.bodyRange])
        )
    }
}
