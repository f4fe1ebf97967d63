package import APNs
package import HTTP
package import TLS

/// What this server answers now: Apple's rules, applied with this server's clock, keys and settings.
package final class Simulator: Sendable {
    /// The settings of the decision.
    package struct Configuration: Sendable {
        package var profile: Profile = .strict
        package var payloadLimit = 4096
        package var initialStreams: UInt32 = 1000
        /// Whether a bad client certificate ends the handshake; otherwise each push gets 403.
        package var refusesHandshakes = true
        package var maxConcurrentStreams: UInt32 = 1000
        /// Whether a provider token may be renewed only every 20 minutes on one connection.
        package var limitsTokenRefresh = true
        /// Whether a key id that is not registered is accepted.
        package var acceptsUnknownKeys = false
        /// Whether the three disputed reasons are spelt as in Apple's tables.
        package var documentedSpelling = false
        /// Whether errors carry `content-type: application/json`.
        package var errorContentType = false
        /// The bundle ids whose apps have the broadcast capability.
        package var broadcastApps = [TopicPattern("*")]
        /// Whether a device token that is not registered is accepted when it is well formed.
        package var acceptsUnknownDevices = true
        /// How many pushes a device may get within a time; any number when nil.
        package var deviceRate: DeviceRate?
        /// How requests are judged that nobody sends; nil for those that arrive.
        var rehearsal: Rehearsal?
        /// Whether device tokens can spell an outcome.
        package var acceptsMagicTokens = true

        package init() {}
    }

    package let configuration: Configuration
    package let journal: Journal
    package let keys: KeyStore
    /// The client certificates that are known here, and those that are revoked.
    package let certificates: CertificateRegistry
    package let clock: ServerClock
    package let channels: ChannelStore
    package let devices: DeviceStore
    package let script: Script
    package let apps: AppStore
    let authenticator: Authenticator
    let deviceRates = DeviceRateWindows()
    /// Whether a device token that is not registered passes; always in the lenient profile.
    let acceptsUnknownDevices: Bool
    /// Whether the settings ask for a look at the device of every push, even when none is registered.
    private let checksEveryDevice: Bool
    /// Whether entries are rendered at once, so that it pays to note what the views will ask of the payload.
    private let isLogged: Bool

    package init(
        configuration: Configuration, journal: Journal, keys: KeyStore, clock: ServerClock,
        channels: ChannelStore = ChannelStore(), devices: DeviceStore = DeviceStore(),
        certificates: CertificateRegistry = CertificateRegistry([]), script: Script = Script(),
        apps: AppStore = AppStore()
    ) {
        self.configuration = configuration
        self.journal = journal
        self.keys = keys
        self.clock = clock
        self.channels = channels
        self.devices = devices
        acceptsUnknownDevices = configuration.acceptsUnknownDevices || configuration.profile == .lenient
        checksEveryDevice = !acceptsUnknownDevices || configuration.deviceRate != nil
        self.certificates = certificates
        self.script = script
        self.apps = apps
        isLogged = journal.isLogged
        authenticator = Authenticator(
            keys: keys,
            settings: Authenticator.Settings(
                acceptsUnknownKeys: configuration.acceptsUnknownKeys || configuration.profile == .lenient,
                limitsTokenRefresh: configuration.limitsTokenRefresh))
    }

    /// A world of its own beside this one: all stores are new, and hold what this server's hold at start.
    func sibling(
        _ order: NamespaceOrder, configuration: Configuration, journal: Journal, seed: UInt64
    ) -> Simulator {
        Simulator(
            configuration: configuration, journal: journal, keys: KeyStore(keys.initialKeys + order.keys),
            clock: clock.sibling(), channels: ChannelStore(random: FastRandom(seed: seed)),
            devices: DeviceStore(order.devices, random: FastRandom(seed: seed)),
            certificates: certificates.sibling(), script: Script(seed: seed, rules: order.rules),
            apps: AppStore(order.apps))
    }

    /// Judges one request; the one function to read first. Pure but for the stores it reads: no socket, no file, no journal.
    ///
    /// Every check is made, whatever failed before, so that the entry of a refused request can say what else is wrong;
    /// the first failure in the order of ``Check`` is the answer.
    package func decide(
        _ request: consuming HTTPRequest, stream: Int32, on state: inout ConnectionState,
        scratch: inout DecisionScratch, now: Instant
    ) -> Decision {
        state.requests += 1
        var failures: [CheckFailure] = []
        let fields = RequestFields(request)
        let environment = environment(request, fields) ?? state.environment
        let route = Route(path: fields.path, in: request.storage.span)
        NotificationRules.method(request.storage.span.extracting(fields.method.bounds), route, &failures)
        NotificationRules.path(request.storage.span.extracting(fields.path.bounds), route, &failures)
        let identity = identify(request, fields, environment, on: &state, now, &failures)
        if let fault = state.fault, fault.catches(stream) {
            return decideCaught(
                behind: fault, request, fields, route, identity, environment, stream: stream, on: state, &scratch, now)
        }
        let streams = streamLimit(on: &state, identity, failures)

        if let bundleID = route.bundleID {
            return decideOnChannels(
                request, fields, route, bundleID, identity, environment, stream: stream, on: &state, streams, &scratch,
                now, failures)
        }
        // Handed on without a name, so that it is moved and not copied.
        let decision = conclude(
            judge(
                request, fields, route, identity, environment, stream: stream, number: state.requests,
                on: state.connection, &scratch, now, failures),
            streams, &scratch)
        if case .perform = decision.action { noteExpiry(decision, identity, &state) }
        return decision
    }

    /// A scripted `ExpiredProviderToken` is an expiry to the sender, which must answer it with a fresh token.
    func noteExpiry(_ decision: borrowing Decision, _ identity: SenderIdentity, _ state: inout ConnectionState) {
        guard decision.entry.content.reason == .expiredProviderToken, case .token(let token) = identity else { return }
        authenticator.callExpired(token, on: &state)
    }

    /// Why a connection may not begin: a client certificate of the other environment ends it before its first request.
    package func refusal(of connection: PeerConnection) -> CheckFailure? {
        guard configuration.profile != .lenient, let certificate = connection.certificate else { return nil }
        return CertificateRules.environmentFailure(certificate, connection.environment)
    }

    /// Why a client certificate ends the handshake; nil when it does not.
    package func refusalOfHandshake(_ certificate: PeerCertificate) -> PeerCertificate.Refusal? {
        guard configuration.refusesHandshakes, configuration.profile != .lenient else { return nil }
        return CertificateRules.refusal(
            certificate, isRevoked: certificates.isRevoked(certificate), now: clock.now().server / 1000)
    }

    /// How many streams a connection may have at first; the lower limit is for those that authenticate by token.
    package func initialStreams(of connection: PeerConnection) -> UInt32 {
        connection.certificate == nil ? configuration.initialStreams : configuration.maxConcurrentStreams
    }

    /// Back to the state at start: journal forgotten, stores as configured.
    package func reset() {
        keys.reset()
        channels.reset()
        resetDevices()
        certificates.reset()
        apps.reset()
        clock.reset()
        authenticator.reset()
        // Before the journal: what waits is cancelled, so that nothing of before appears later.
        script.reset()
        journal.reset()
    }

    /// Devices and their counts back to the state at start.
    package func resetDevices() {
        devices.reset()
        deviceRates.reset()
    }

    // MARK: The request

    /// The environment that the request's host name stands for.
    private func environment(_ request: borrowing HTTPRequest, _ fields: RequestFields) -> Environment? {
        Environment(host: request.storage.span.extracting(fields.authority.bounds))
    }

    /// Who sent the request: a client certificate decides alone, and then a provider token is not even read.
    private func identify(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, _ environment: Environment,
        on state: inout ConnectionState, _ now: Instant, _ failures: inout [CheckFailure]
    ) -> SenderIdentity {
        if let certificate = state.certificate {
            CertificateRules.check(
                certificate, environment, isRevoked: certificates.isRevoked(certificate), now: now,
                &failures)
            return .certificate(certificate)
        }
        if case .assumingSender = configuration.rehearsal { return .none }
        let token = authenticator.authenticate(
            request.storage.span.extracting(fields.authorization.bounds), on: &state, environment: environment,
            now: now.server, isBinding: failures.isEmpty, &failures)
        return token.map { .token($0) } ?? .none
    }

    /// The limit of streams to announce: with `initialStreams` below the maximum, a good token raises it and a refused one
    /// lowers it again.
    private func streamLimit(
        on state: inout ConnectionState, _ identity: SenderIdentity, _ failures: [CheckFailure]
    ) -> UInt32? {
        guard configuration.initialStreams < configuration.maxConcurrentStreams else { return nil }
        guard state.certificate == nil else { return nil }
        let isLenient = configuration.profile == .lenient
        let isRefused =
            !isLenient
            && failures.contains { Check.identityChecks.contains($0.check) && $0.reason.status == 403 }
        var isGood = isLenient
        if case .token = identity { isGood = !isRefused }
        if isGood == state.isStreamLimitRaised || (!isGood && !isRefused) { return nil }
        state.isStreamLimitRaised = isGood
        return isGood ? configuration.maxConcurrentStreams : configuration.initialStreams
    }

    // MARK: The push

    /// What the entry keeps of the request, with all failures and findings.
    private func judge(
        _ request: consuming HTTPRequest, _ fields: RequestFields, _ route: Route, _ identity: SenderIdentity,
        _ environment: Environment, stream: Int32, number: Int, on connection: PeerConnectionReference,
        _ scratch: inout DecisionScratch, _ now: Instant, _ identityFailures: [CheckFailure]
    ) -> JournalEntry.Content {
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .accepted, request: request,
            connection: connection, sender: identity.shown, failures: identityFailures)
        content.stream = stream
        content.requestsOnConnection = number
        content.environment = environment
        content.profile = configuration.profile
        var deviceChecks = CheckSet()
        if case .device(let token) = route {
            judgePush(&content, fields, deviceToken: token, identity, &scratch, now)
            if checksEveryDevice || !devices.isEmpty {
                var failures: [CheckFailure] = []
                deviceChecks = checkDevice(content, fields, deviceToken: token, &failures)
                content.failures += failures
            }
        }
        if !content.failures.isEmpty || configuration.rehearsal != nil {
            settle(&content, identity, deviceChecks: deviceChecks)
        }
        return consume content
    }

    /// Judges headers, device token, topic and payload of a device push, and fills in what the entry keeps of them.
    func judgePush(
        _ content: inout JournalEntry.Content, _ fields: RequestFields, deviceToken: ByteRange,
        _ identity: SenderIdentity, _ scratch: inout DecisionScratch, _ now: Instant
    ) {
        let defaultTopic = identity.defaultTopic
        let headers = NotificationHeaders(
            content.request, fields, deviceToken: deviceToken, defaultTopic: defaultTopic,
            certificateTopics: identity.certificateTopics, ordinaryLimit: configuration.payloadLimit, &content.failures)
        let family =
            fields.topic.isPresent
            ? PayloadRules.TopicFamily(content.request.storage.span.extracting(fields.topic.bounds))
            : PayloadRules.TopicFamily(Array((defaultTopic ?? "").utf8).span)
        checkTopic(content.request, fields, suffix: headers.topicSuffix, identity, &content.failures)
        content.device = deviceToken.range
        content.topic = fields.topic.range
        if !fields.topic.isPresent { content.defaultTopic = defaultTopic }
        content.collapseID = fields.collapseID.range
        content.expiration = headers.expiration
        content.priority = headers.priority
        content.apnsID = headers.apnsID
        content.payloadLimit = headers.payloadLimit
        content.pushType = headers.declaredType
        // What did not fit is not kept, and the rest of it is no JSON.
        if !content.request.bodyRange.isEmpty, content.request.droppedBodyBytes == 0 {
            let verdict = NotificationRules.payload(
                content.request, headers, topicFamily: family,
                isTypeDeclared: fields.pushType.isPresent, profile: configuration.profile,
                document: &scratch.document, &content.failures)
            content.findings = verdict.findings
            if !fields.pushType.isPresent {
                content.pushType = verdict.pushType
                content.isPushTypeInferred = true
            }
            content.payload = verdict.facts
            // Read again at once when the log shows them and nobody noted them.
            if isLogged, case .unknown = verdict.facts.form { content.payload = PayloadFacts(scratch.document) }
        } else {
            content.payload.form = .other
        }
        headers.examine(content.request, fields, now: now.server / 1000, &content.findings)
        if case .token(let token) = identity { token.examine(now: now.server / 1000, &content.findings) }
    }

    /// The sender's key or certificate covers the topic.
    private func checkTopic(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, suffix: PushType?, _ identity: SenderIdentity,
        _ failures: inout [CheckFailure]
    ) {
        let topic = request.storage.span.extracting(fields.topic.bounds)
        if topic.isEmpty {
            if case .certificate(let certificate) = identity, !fields.topic.isPresent, let usual = identity.defaultTopic
            {
                CertificateRules.checkTopic(Array(usual.utf8).span, suffix: suffix, certificate, &failures)
            }
            return
        }
        switch identity {
        case .none: return
        case .token(let token):
            if token.isTeamScoped { return }
            for pattern in token.topics where pattern.covers(topic, suffix: suffix) { return }
            let covered = token.topics.map(\.text).joined(separator: ", ")
            failures.append(
                CheckFailure(
                    .topicAllowed, .topicDisallowed, expected: covered, actual: topic.shownText(),
                    explanation: "The key \(token.keyID) covers \(covered), not the topic \(topic.shownText())."))
        case .certificate(let certificate):
            CertificateRules.checkTopic(topic, suffix: suffix, certificate, &failures)
        }
    }
}
