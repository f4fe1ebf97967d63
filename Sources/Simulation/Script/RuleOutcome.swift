package import APNs

/// What a rule makes of a request.
package enum RuleOutcome: Sendable {
    /// It is accepted.
    case accept
    /// It is refused with one of Apple's reasons.
    case reject(Refusal)
    /// It is answered in a way that Apple never would.
    case respond(Response)
    /// Something breaks; what the answer would have been, where it is cut or spread out, is beside it.
    case fault(RuleFault, Refusal?)

    /// A refusal.
    package struct Refusal: Sendable, Equatable {
        package var reason: Reason
        /// The status, when it is not the reason's own.
        package var status: UInt16?
        /// For 410: when the token was found to be gone.
        package var timestamp: RuleTime?
    }

    /// An answer made by hand.
    package struct Response: Sendable {
        package var status: UInt16
        package var body: [UInt8]
        package var fields: [(name: String, value: String)]
    }

    /// How many fields an answer made by hand may have.
    package static let fieldLimit = 20
    /// How many bytes the body of an answer made by hand may have, and a field of it.
    package static let bodyLimit = 64 << 10
    package static let fieldValueLimit = 4 << 10

    /// The outcome in a few words: `reset-stream`, `410 Unregistered`.
    var words: String {
        switch self {
        case .accept: "accept"
        case .reject(let refusal): "\(refusal.status ?? refusal.reason.status) \(refusal.reason.word)"
        case .respond(let response): "answer \(response.status)"
        case .fault(let fault, _): fault.kind.rawValue
        }
    }
}

/// What a rule does when it fires: an outcome, a delay, or both.
package struct RuleStep: Sendable {
    /// Nil for a delay alone.
    package var outcome: RuleOutcome?
    package var delay: RuleDelay?
}
