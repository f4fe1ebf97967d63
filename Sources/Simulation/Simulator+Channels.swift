import APNs
import HTTP
import TLS

/// Broadcasts and channel management: the same way as a device push, with checks and answers of their own.
extension Simulator {
    /// Judges a request to a path of broadcasts or channels, does what it asks for, and answers.
    ///
    /// `failures` are those of path, method and identity.
    func decideOnChannels(
        _ request: consuming HTTPRequest, _ fields: RequestFields, _ route: Route, _ bundleID: ByteRange,
        _ identity: SenderIdentity, _ environment: Environment, stream: Int32, on state: inout ConnectionState,
        _ streams: UInt32?, _ scratch: inout DecisionScratch, _ now: Instant, _ failures: [CheckFailure]
    ) -> Decision {
        let operation = ChannelOperation(route, method: request.storage.span.extracting(fields.method.bounds))
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .accepted, request: request,
            connection: state.connection, sender: identity.shown, failures: failures)
        content.stream = stream
        content.requestsOnConnection = state.requests
        content.environment = environment
        content.profile = configuration.profile
        content.payloadLimit = ChannelRules.payloadLimit
        let call = judge(&content, fields, operation, bundleID, identity, &scratch, now)
        settle(&content, identity, order: operation?.order ?? Check.listOrder)
        let decision = conclude(content, call, streams, &scratch)
        if case .perform = decision.action { noteExpiry(decision, identity, &state) }
        return decision
    }

    /// Makes the checks behind those of path, method and identity; what is to be done when none failed.
    private func judge(
        _ content: inout JournalEntry.Content, _ fields: RequestFields, _ operation: ChannelOperation?,
        _ bundleID: ByteRange, _ identity: SenderIdentity, _ scratch: inout DecisionScratch, _ now: Instant
    ) -> ChannelCall {
        var failures = content.failures
        let headers = ChannelHeaders(content.request, fields, bundleID: bundleID, operation, &failures)
        let app = Channel.App(content.environment, content.request.text(in: bundleID.bounds))
        checkApp(app, identity, &failures)
        let channel = checkChannel(app, headers, operation, now, &failures)
        var policy: MessageStoragePolicy?
        switch operation {
        case .publish:
            judgeMessage(&content, headers, channel, &scratch, now, &failures)
        case .create:
            policy = ChannelRules.storagePolicy(content.request, document: &scratch.document, &failures)
            if let obstacle = channels.obstacle(app) { failures.append(Self.failure(obstacle, app)) }
        case .read, .delete, .list, nil: break
        }
        if case .token(let token) = identity { token.examine(now: now.server / 1000, &content.findings) }
        content.failures = failures
        content.apnsID = headers.requestID
        content.channelRequest = ChannelRequest(operation, bundleID: bundleID.bounds, channel: headers.channelID)
        return ChannelCall(operation: operation, app: app, channel: channel, policy: policy, now: now.server)
    }

    // MARK: Checks

    /// The sender's key or certificate covers the app, and the app may broadcast.
    private func checkApp(_ app: Channel.App, _ identity: SenderIdentity, _ failures: inout [CheckFailure]) {
        let bytes = Array(app.bundleID.utf8)
        let suffix = PushType(suffixOf: bytes.span)
        func covers(_ patterns: [TopicPattern]) -> Bool {
            patterns.contains { $0.covers(bytes.span, suffix: suffix) }
        }
        switch identity {
        case .none: break
        case .token(let token):
            if !token.isTeamScoped, !covers(token.topics) {
                failures.append(
                    Self.mismatch(app, "key \(token.keyID)", token.topics.map(\.text).joined(separator: ", ")))
            }
        case .certificate(let certificate):
            let topics = certificate.topics + (certificate.userID.map { [$0] } ?? [])
            if !covers(topics.map { TopicPattern($0) }) {
                let listed = certificate.topics.joined(separator: ", ")
                failures.append(Self.mismatch(app, "client certificate", listed.isEmpty ? "no topic" : listed))
            }
        }
        guard !covers(configuration.broadcastApps) else { return }
        let enabled = configuration.broadcastApps.map(\.text).joined(separator: ", ")
        let shown = bytes.span.shownText()
        failures.append(
            CheckFailure(
                .featureEnabled, .broadcastFeatureNotEnabled, expected: enabled.isEmpty ? "no app (off)" : enabled,
                actual: shown,
                explanation: "The app \(shown) does not have the broadcast capability; here "
                    + (enabled.isEmpty ? "no app has it (--features off)." : "--features gives it to \(enabled)."),
                fix: "Switch on the broadcast capability of the App ID; here: start the server with --features "
                    + "\(shown)."
            ))
    }

    private static func mismatch(_ app: Channel.App, _ holder: String, _ covered: String) -> CheckFailure {
        let shown = Array(app.bundleID.utf8).span.shownText()
        return CheckFailure(
            .topicAllowed, .topicMismatch, expected: covered, actual: shown,
            explanation: "The \(holder) is for \(covered), not for the bundle id \(shown) of the path.")
    }

    /// The channel that the request names exists.
    private func checkChannel(
        _ app: Channel.App, _ headers: ChannelHeaders, _ operation: ChannelOperation?, _ now: Instant,
        _ failures: inout [CheckFailure]
    ) -> Channel? {
        guard let id = headers.channelID, let operation else { return nil }
        let finding = channels.find(id, of: app, now: now.server)
        if case .found(let channel) = finding { return channel }
        failures.append(channelFailure(id, app, finding, operation))
        return nil
    }

    /// What is said of a channel that is not there. To a broadcast a channel that never was is a bad id and a deleted one not
    /// registered; to management both are paths that do not exist.
    func channelFailure(
        _ id: String, _ app: Channel.App, _ finding: ChannelStore.Finding, _ operation: ChannelOperation
    ) -> CheckFailure {
        let shown = Array(app.bundleID.utf8).span.shownText()
        let owner = "\(shown) in \(app.environment.rawValue)"
        var reason = configuration.documentedSpelling ? Reason.channelNotRegistered : .badChannelID
        let explanation: String
        var fix: String?
        switch finding {
        case .elsewhere(let other) where other.bundleID == app.bundleID:
            explanation =
                "The channel \(id) belongs to \(other.environment.rawValue), and this is \(app.environment.rawValue); "
                + "channels do not cross the border."
            fix = "Use the host of the channel's environment, or create a channel in this one."
        case .elsewhere(let other):
            let otherName = Array(other.bundleID.utf8).span.shownText()
            explanation = "The channel \(id) belongs to \(otherName) in \(other.environment.rawValue), not to \(owner)."
            fix = "Use the bundle id of the app that the channel was created for."
        case .deleted:
            explanation = "The channel \(id) of \(owner) was deleted; its id never comes back."
            reason = .channelNotRegistered
        case .unknown, .found:
            let count = channels.count(of: app)
            explanation = "There is no channel \(id) of \(owner), which has \(count) channels, and there never was one."
            if operation == .publish {
                fix =
                    "Send the id exactly as it came back when the channel was made. "
                    + (configuration.documentedSpelling
                        ? "(APNs was seen to answer BadChannelId here; Apple's table has ChannelNotRegistered.)"
                        : "(Apple's table has ChannelNotRegistered here: --reason-spelling documented answers so.)")
            }
        }
        if operation != .publish {
            reason = .badPath
            fix = fix ?? "Ask GET /1/apps/\(shown)/all-channels for the channels that exist."
        }
        return CheckFailure(
            .channelKnown, reason, expected: "a channel of \(owner)", actual: id, explanation: explanation, fix: fix)
    }

    static func failure(_ error: ChannelStore.CreationError, _ app: Channel.App) -> CheckFailure {
        let limit: Int
        let owner: String
        switch error {
        case .appIsFull(let most):
            limit = most
            owner = "The app \(Array(app.bundleID.utf8).span.shownText()) in \(app.environment.rawValue)"
        case .storeIsFull(let most):
            limit = most
            owner = "This server"
        case .idIsTaken:
            limit = 0
            owner = "This server"
        }
        return CheckFailure(
            .channelLimit, .cannotCreateChannelConfig, expected: "fewer than \(limit) channels",
            actual: "\(limit) channels", explanation: "\(owner) has \(limit) channels, which is as many as it may have."
        )
    }

    /// Payload and expiration of a broadcast.
    private func judgeMessage(
        _ content: inout JournalEntry.Content, _ headers: ChannelHeaders, _ channel: Channel?,
        _ scratch: inout DecisionScratch, _ now: Instant, _ failures: inout [CheckFailure]
    ) {
        content.pushType = headers.pushType
        if let spelling = headers.oddTypeSpelling {
            content.findings.append(
                Finding(
                    .broadcastTypeSpelling, path: "apns-push-type", found: spelling,
                    message: "The apns-push-type is written \(spelling)."))
        }
        content.expiration = headers.expiration
        content.priority = headers.priority
        if !content.request.bodyRange.isEmpty, content.request.droppedBodyBytes == 0 {
            content.findings += ChannelRules.payload(
                content.request, headers, profile: configuration.profile, document: &scratch.document, &failures)
            content.payload = PayloadFacts(scratch.document)
        } else {
            content.payload.form = .other
        }
        guard let expiration = headers.expiration, expiration != 0 else { return }
        if let channel, channel.policy == .none {
            failures.append(
                CheckFailure(
                    .channelStorage, .badExpirationDate, expected: "0", actual: "\(expiration)",
                    explanation: "The channel \(channel.id) stores no message (message-storage-policy 0), so "
                        + "apns-expiration must be 0; it is \(expiration).",
                    fix: "Send apns-expiration: 0, or create the channel with message-storage-policy 1."))
        }
        if let finding = Finding(expiration: expiration, now: now.server / 1000) { content.findings.append(finding) }
    }

    /// Puts the failures in the order of the operation's checks, without those that the profile forgives.
    private func settle(_ content: inout JournalEntry.Content, _ identity: SenderIdentity, order: [Check]) {
        guard !content.failures.isEmpty else { return }
        content.unmade = CheckSet([.serviceAvailable])
        content.unmade.insertIdentity(identity, configuration)
        if configuration.profile == .lenient {
            content.failures.removeAll { Check.identityChecks.contains($0.check) }
        }
        // The first failure of each check, in the order of the checks.
        let failures = content.failures
        content.failures = order.compactMap { check in failures.first { $0.check == check } }
    }
}
