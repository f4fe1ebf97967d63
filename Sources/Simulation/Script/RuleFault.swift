package import HTTP

/// Something that breaks on purpose, with its details.
package enum RuleFault: Sendable, Equatable {
    /// What GOAWAY names as the last stream that was processed.
    package enum LastStream: String, Sendable, CaseIterable {
        /// All that were opened: those in flight are answered.
        case all
        /// None: everything that has no answer may be sent again.
        case nothing = "none"
        /// The one before the stream of the request.
        case beforeThis = "this-1"
    }

    /// How long a connection stays open behind GOAWAY once nothing is in flight.
    package enum Linger: Sendable, Equatable {
        /// It ends at once.
        case none
        /// So many milliseconds.
        case milliseconds(Int64)
        /// Until the peer leaves, the rule goes or the server stops.
        case forever
    }

    case acceptThenDrop, hang, silentlyDiscard
    case resetStream(HTTP2ErrorCode)
    case headersOnly, truncateBody
    /// A byte of the body every so many milliseconds.
    case dribble(interval: Int64)
    case goAway(HTTP2ErrorCode, reason: String?, lastStream: LastStream, linger: Linger)
    case close, rst, stallWrites, ignorePing
    case settings(maxConcurrentStreams: UInt32)
    case refuseConnect
    /// The number of the alert.
    case tlsAlert(UInt8)
    case dropAfter(requests: Int)

    /// Which fault it is.
    package var kind: FaultKind {
        switch self {
        case .acceptThenDrop: .acceptThenDrop
        case .hang: .hang
        case .silentlyDiscard: .silentlyDiscard
        case .resetStream: .resetStream
        case .headersOnly: .headersOnly
        case .truncateBody: .truncateBody
        case .dribble: .dribble
        case .goAway: .goAway
        case .close: .close
        case .rst: .rst
        case .stallWrites: .stallWrites
        case .ignorePing: .ignorePing
        case .settings: .settings
        case .refuseConnect: .refuseConnect
        case .tlsAlert: .tlsAlert
        case .dropAfter: .dropAfter
        }
    }

    /// Whether the sender gets the ordinary answer all the same, now or bit by bit.
    var answers: Bool {
        switch self {
        case .silentlyDiscard, .headersOnly, .truncateBody, .dribble, .ignorePing, .settings, .dropAfter: true
        case .goAway(_, _, let lastStream, _): lastStream == .all
        case .acceptThenDrop, .hang, .resetStream, .close, .rst, .stallWrites, .refuseConnect, .tlsAlert: false
        }
    }

    /// The body of GOAWAY's debug data, in the form that APNs uses.
    package var debugData: [UInt8] {
        guard case .goAway(_, let reason?, _, _) = self else { return [] }
        var line = LineBuffer(capacity: 64)
        line.append("{\"reason\":")
        line.append(string: reason)
        line.append("}")
        return unsafe line.withBytes { unsafe Array($0) }
    }
}
