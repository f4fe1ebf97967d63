/// What can break on purpose, by the names that rules use. The table of docs/scripting.md has the same rows.
package enum FaultKind: String, Sendable, CaseIterable {
    case acceptThenDrop = "accept-then-drop"
    case hang
    case silentlyDiscard = "silently-discard"
    case resetStream = "reset-stream"
    case headersOnly = "headers-only"
    case truncateBody = "truncate-body"
    case dribble
    case goAway = "goaway"
    case close
    case rst
    case stallWrites = "stall-writes"
    case ignorePing = "ignore-ping"
    case settings
    case refuseConnect = "refuse-connect"
    case tlsAlert = "tls-alert"
    case dropAfter = "drop-after"

    /// The stages at which it can happen; the first is meant when a rule names none.
    package var stages: [RuleStage] {
        switch self {
        case .acceptThenDrop, .hang, .silentlyDiscard, .resetStream, .headersOnly, .truncateBody, .dribble:
            [.afterValidation, .beforeValidation]
        case .goAway, .close, .rst: [.afterValidation, .beforeValidation, .connection]
        case .stallWrites, .ignorePing, .settings: [.connection, .afterValidation, .beforeValidation]
        case .refuseConnect, .tlsAlert, .dropAfter: [.connection]
        }
    }

    /// The members of `then` that go with it.
    package var members: [String] {
        switch self {
        case .resetStream: ["code"]
        case .headersOnly, .truncateBody: ["reason", "status", "timestamp"]
        case .dribble: ["reason", "status", "timestamp", "interval"]
        case .goAway: ["code", "reason", "lastStream", "linger"]
        case .settings: ["maxConcurrentStreams"]
        case .tlsAlert: ["alert"]
        case .dropAfter: ["requests"]
        case .acceptThenDrop, .hang, .silentlyDiscard, .close, .rst, .stallWrites, .ignorePing, .refuseConnect: []
        }
    }

    /// Whether it can happen to a connection of this kind; rules of the stage `connection` that cannot are not asked there.
    package func applies(to transport: ConnectionTransport) -> Bool {
        switch self {
        case .tlsAlert: transport == .tls
        case .ignorePing, .settings: transport != .http1
        default: true
        }
    }

    /// Whether it comes before the TLS handshake.
    var precedesHandshake: Bool { self == .refuseConnect || self == .tlsAlert }

    /// What happens, in one sentence.
    package var summary: StaticString {
        switch self {
        case .acceptThenDrop: "The push is accepted and journaled as such; the connection ends without the answer."
        case .hang: "The request gets no answer until its sender gives up."
        case .silentlyDiscard: "200 on the wire, but no device ever shows the push."
        case .resetStream: "RST_STREAM with a code instead of an answer."
        case .headersOnly: "The head of the answer, and never its end."
        case .truncateBody: "An answer whose JSON breaks off in the middle."
        case .dribble: "An answer whose body comes byte by byte."
        case .goAway: "GOAWAY with a code, a reason as debug data, and a last stream."
        case .close: "The connection ends without GOAWAY and without the answer."
        case .rst: "A TCP reset."
        case .stallWrites: "Nothing is sent on the connection any more."
        case .ignorePing: "PING frames of the connection get no answer."
        case .settings: "SETTINGS with another MAX_CONCURRENT_STREAMS."
        case .refuseConnect: "The connection is reset before it can be used."
        case .tlsAlert: "A fatal alert instead of the TLS handshake."
        case .dropAfter: "The connection ends after so many requests, without GOAWAY."
        }
    }
}
