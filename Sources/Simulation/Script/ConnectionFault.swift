import APNs
import HTTP

/// A fault that a connection has met, and that keeps answers from leaving it from then on.
package struct ConnectionFault: Sendable {
    /// The rule that fired.
    package let use: JournalEntry.RuleUse
    /// Streams up to this one are answered all the same; -1 when none is. HTTP/1.1 has the stream 0 only.
    package let lastStream: Int32

    /// A fault behind which only streams up to `lastStream` are answered.
    package init(_ use: JournalEntry.RuleUse, lastStream: Int32) {
        self.use = use
        self.lastStream = lastStream
    }

    /// Whether the answer of this stream never leaves.
    package func catches(_ stream: Int32) -> Bool { stream > lastStream }

    /// What entries of requests that were caught behind the fault say of it.
    var caughtUse: JournalEntry.RuleUse {
        var use = use
        use.outcome = "behind " + (use.outcome ?? "a fault")
        use.delayMilliseconds = 0
        return use
    }
}

extension ConnectionFault? {
    /// Takes the fault when it catches more than the one that was met before.
    package mutating func meet(_ fault: ConnectionFault) {
        if let known = self, known.lastStream <= fault.lastStream { return }
        self = fault
    }
}

extension RuleFault {
    /// The last stream that is answered when this fault strikes at a stream; nil when it keeps no other answer from leaving.
    package func lastAnswered(at stream: Int32) -> Int32? {
        switch self {
        case .acceptThenDrop, .close, .rst, .stallWrites: -1
        case .goAway(_, _, .nothing, _): 0
        case .goAway(_, _, .beforeThis, _): max(0, stream - 2)
        // What else GOAWAY keeps out is never handed over.
        case .goAway(_, _, .all, _): nil
        case .hang, .silentlyDiscard, .resetStream, .headersOnly, .truncateBody, .dribble, .ignorePing, .settings,
            .refuseConnect, .tlsAlert, .dropAfter:
            nil
        }
    }
}

extension JournalEntry.Content {
    /// Whether an answer was meant to leave that a fault of the connection can keep back.
    var hasAnswerToLose: Bool { outcome == .accepted || outcome == .rejected }

    /// Makes it what it is once a rule has kept its answer from leaving.
    mutating func isFaulted(by use: JournalEntry.RuleUse) {
        failures = []
        outcome = .faulted
        reason = nil
        status = 0
        apnsUniqueID = nil
        rule = use
    }
}

extension Simulator {
    /// The decision about a request whose answer cannot leave any more: it is read for the entry, and nothing is done about
    /// it. Rules are not asked, and no store changes, since for its sender it was never processed.
    func decideCaught(
        behind fault: ConnectionFault, _ request: consuming HTTPRequest, _ fields: RequestFields, _ route: Route,
        _ identity: SenderIdentity, _ environment: Environment, stream: Int32, on state: borrowing ConnectionState,
        _ scratch: inout DecisionScratch, _ now: Instant
    ) -> Decision {
        let operation = ChannelOperation(route, method: request.storage.span.extracting(fields.method.bounds))
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .faulted, request: request,
            connection: state.connection, sender: identity.shown)
        content.stream = stream
        content.requestsOnConnection = state.requests
        content.environment = environment
        content.profile = configuration.profile
        if let bundleID = route.bundleID {
            var failures: [CheckFailure] = []
            let headers = ChannelHeaders(content.request, fields, bundleID: bundleID, operation, &failures)
            content.apnsID = headers.requestID
            content.channelRequest = ChannelRequest(operation, bundleID: bundleID.bounds, channel: headers.channelID)
        } else if case .device(let token) = route {
            judgePush(&content, fields, deviceToken: token, identity, &scratch, now)
        }
        content.apnsID = content.apnsID ?? UUIDText.random(using: &scratch.random)
        content.isFaulted(by: fault.caughtUse)
        return Decision(entry: JournalEntry(content), response: HTTPResponse(status: 500), action: .withhold)
    }
}
