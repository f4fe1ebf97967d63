/// How strictly payloads are judged and whether senders must prove who they are.
package enum Profile: String, Sendable, CaseIterable {
    /// Apple's written contract: what breaks it is refused.
    case strict
    /// Only what the live service is known to refuse is refused.
    case live
    /// Demos and first steps: nobody must authenticate, payload faults are recorded only.
    case lenient
}
