package import APNs
package import HTTP

/// Requests judged without being received.
extension Simulator {
    /// How a request that nobody sends is judged.
    package enum Rehearsal: Sendable {
        /// As it stands.
        case whole
        /// As if its sender had proved who it is.
        case assumingSender
    }

    /// What APNs would answer to a request now, and why. Nothing changes by it, and nothing is journaled.
    ///
    /// The request comes over a connection of its own: what binds a connection to its first token is not in its way.
    package func explain(
        _ request: consuming HTTPRequest, from connection: PeerConnection, _ rehearsal: Rehearsal, now: Instant
    ) -> RequestExplanation {
        var state = ConnectionState(connection: PeerConnectionReference(connection))
        var scratch = DecisionScratch()
        let decision = copy(for: rehearsal).decide(request, stream: 1, on: &state, scratch: &scratch, now: now)
        return RequestExplanation(decision, usesDocumentedSpelling: configuration.documentedSpelling)
    }

    /// What a phone would show because of a request that nobody sends, were its sender one that may.
    package func preview(_ request: consuming HTTPRequest, environment: Environment, now: Instant) -> Preview {
        var state = ConnectionState(
            connection: PeerConnectionReference(
                PeerConnection(id: 0, peer: "preview", listener: "preview", environment: environment)))
        var scratch = DecisionScratch()
        let decision = copy(for: .assumingSender).decide(request, stream: 1, on: &state, scratch: &scratch, now: now)
        return Preview(PreviewQuestion(draft: decision.entry, in: self))
    }

    /// A world like this one at this moment; what happens there has no consequence here.
    ///
    /// Stores that a decision only reads are shared, those that it changes are copied.
    private func copy(for rehearsal: Rehearsal) -> Simulator {
        var configuration = configuration
        configuration.rehearsal = rehearsal
        let copy = Simulator(
            configuration: configuration,
            journal: Journal(limits: Journal.Limits(entries: 1, bytes: 1), log: nil, renderer: journal.renderer),
            keys: keys, clock: clock, channels: channels.copy(), devices: devices, certificates: certificates,
            script: script.copy())
        copy.deviceRates.goOn(from: deviceRates)
        return copy
    }
}
