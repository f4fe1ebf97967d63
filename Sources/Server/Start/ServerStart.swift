import APNs
import Admin
import EventLoop
import HTTP
import Locking
import Simulation
import Synchronization
import TLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The steps from a configuration to a running server, in their order; each failure names the flag to change.
struct ServerStart {
    /// The parts of a running server.
    struct Result {
        let core: ServerCore
        let certificates: CertificateStore
        let seed: UInt64
        let instance: String
        let listeners: [MockServer.BoundListener]
        let workers: [WorkerThread]
        let acceptor: LoopBound<Acceptor>
        let admin: AdminThread?
        let sender: OwnSender
        let shutdownRequest: ShutdownRequest
    }

    /// What makes the numbers behind device tokens others than those behind channel ids.
    private static let deviceSeed: UInt64 = 1

    private let configuration: Configuration
    private let reporter: Reporter
    private let seed: UInt64
    private let instance: String

    init(_ configuration: Configuration, _ reporter: Reporter) {
        var configuration = configuration
        configuration.limits.connections = DescriptorLimit.connections(configuration.limits.connections)
        self.configuration = configuration
        self.reporter = reporter
        seed = configuration.seed ?? UInt64.random(in: 1...9_999)
        instance = Self.word()
    }

    /// Starts everything; what was started is stopped again when a later step fails.
    func start() throws(StartError) -> MockServer {
        _ = signal(SIGPIPE, SIG_IGN)  // OpenSSL writes to sockets whose peer may have gone.
        let certificates = try openCertificates()
        let core = try makeCore(certificates)
        let shutdownRequest = ShutdownRequest()
        let facts = ServerFacts(makeInfo(certificates, core.log), waitingFor: ["apns listener"])
        let ports = NamespacePorts(configuration)
        let sender = OwnSender(authorityFile: certificates.authorityFile)
        let admin = try startAdmin(core, certificates, facts, ports, sender, shutdownRequest)
        do throws(StartError) {
            let (workers, acceptor, listeners) = try startWorkers(core)
            ports.start(workers, acceptor)
            sender.start(listeners.first { $0.kind == .apns }?.address)
            facts.ready(listeners: listeners.map(\.info) + (admin.map { [.init(admin: $0.address)] } ?? []))
            return MockServer(
                Result(
                    core: core, certificates: certificates, seed: seed, instance: instance, listeners: listeners,
                    workers: workers, acceptor: acceptor, admin: admin, sender: sender, shutdownRequest: shutdownRequest
                ))
        } catch {
            admin?.stop()
            throw error
        }
    }

    // MARK: Files

    private func openCertificates() throws(StartError) -> CertificateStore {
        do {
            let store = try CertificateStore.open(
                directory: configuration.certificates, subjectNames: configuration.subjectNames,
                constraints: configuration.authorityConstraints,
                makesClientCertificate: configuration.makesClientCertificate)
            for line in store.made { reporter.info(line) }
            for line in store.warnings { reporter.warning(line) }
            return store
        } catch {
            throw StartError("--certs \(configuration.certificates): \(error)", .cannotCreate)
        }
    }

    private func makeCore(_ certificates: CertificateStore) throws(StartError) -> ServerCore {
        let log = try openLog()
        let budget = JournalBudget(limit: configuration.journalBudget)
        var limits = configuration.journal
        limits.bytes = min(limits.bytes, budget.limit)
        let connections = ConnectionStore()
        let journal = Journal(
            limits: limits, log: log, renderer: makeRenderer(), budget: budget,
            closedBySender: { connections.closedBySender($0) })
        let simulator = Simulator(
            configuration: configuration.simulation, journal: journal,
            keys: KeyStore(try readKeys(certificates) + (configuration.state.keys ?? [])),
            clock: ServerClock(configuration.clock), channels: ChannelStore(random: FastRandom(seed: seed)),
            devices: DeviceStore(
                configuration.state.devices ?? [], random: FastRandom(seed: seed, Self.deviceSeed)),
            certificates: CertificateRegistry(readClientCertificates(certificates)),
            script: Script(seed: seed, rules: configuration.state.rules ?? []),
            apps: AppStore(configuration.state.apps ?? []))
        let worlds = Worlds(simulator, seed: seed, budget: budget)
        try addNamespaces(to: worlds)
        let lastConnection = resume(log, worlds)
        do {
            let context = try TLSContext(
                serverCertificate: certificates.serverCertificateFile, key: certificates.serverKeyFile,
                clientAuthorities: configuration.clientAuthority.map { [$0] } ?? certificates.clientAuthorityFiles,
                trustHint: certificates.trustHint, nameHint: certificates.nameHint)
            let core = ServerCore(
                configuration: configuration, worlds: worlds, log: log, context: context, connections: connections,
                reporter: reporter)
            core.lastConnection.store(lastConnection, ordering: .relaxed)
            return core
        } catch {
            let flags = configuration.clientAuthority.map { " or --client-ca \($0)" } ?? ""
            throw StartError("--certs \(configuration.certificates)\(flags): \(error)", .badConfiguration)
        }
    }

    /// The folder's own client certificate; what cannot be read was warned about when the folder was opened.
    private func readClientCertificates(_ certificates: CertificateStore) -> [PeerCertificate] {
        guard let bytes = try? TextFile.read(certificates.clientCertificateFile),
            let certificate = try? PeerCertificate(pem: String(decoding: bytes, as: UTF8.self))
        else { return [] }
        return [certificate]
    }

    private func openLog() throws(StartError) -> InspectionLog? {
        guard let path = configuration.log else {
            guard !configuration.resumes else {
                throw StartError(
                    "--resume reads the inspection log, and --log off says that there is none: leave one of them out",
                    .usage)
            }
            return nil
        }
        do {
            let log = try InspectionLog(path: path, syncs: configuration.logSyncs)
            if log.cutBytes > 0 {
                reporter.warning("\(path) ended in the middle of a line; its last \(log.cutBytes) bytes were cut off")
            }
            if log.isShared {
                reporter.warning(
                    "another server writes to \(path) too: the lines of both stand in it with the same numbers, and"
                        + " --resume gets back a part of them; give this one a file of its own with --log FILE")
            }
            return log
        } catch {
            throw StartError("--log \(path): \(error.message)", .cannotCreate)
        }
    }

    /// Puts the end of the log back into the journals, and says what came of it; returns the highest number of a connection.
    private func resume(_ log: InspectionLog?, _ worlds: Worlds) -> UInt64 {
        guard configuration.resumes, let log else { return 0 }
        let resume = LogResume(path: log.path, into: worlds)
        for line in resume.brokenLines {
            reporter.warning("\(log.path), \(line.place), is no entry and stays out: \(line.why)")
        }
        if resume.brokenCount > resume.brokenLines.count {
            reporter.warning("\(log.path): \(resume.brokenCount) lines in all are no entries and stay out")
        }
        if !resume.passedOver.isEmpty {
            reporter.warning(
                "\(log.path): entries of namespaces that do not exist stay in the file: \(resume.passedOverWords); name a"
                    + " namespace in --config to have its entries back")
        }
        let words = resume.loaded.map { "\($0.count) of \($0.namespace)" }.joined(separator: ", ")
        let left = resume.leftBehind.map { count in
            "; the \(count == 1 ? "line before belongs" : "\(count) lines before belong") to earlier runs, or to another"
                + " server, and stay there"
        }
        reporter.info("--resume: \(words.isEmpty ? "no entries" : words) came back from \(log.path)\(left ?? "")")
        return resume.lastConnection
    }

    /// The namespaces of the configuration file.
    private func addNamespaces(to worlds: Worlds) throws(StartError) {
        for named in configuration.state.namespaces ?? [] {
            do throws(Worlds.Refusal) {
                _ = try worlds.add(named.order, now: ServerClock().now().machine)
            } catch {
                throw StartError(
                    "\(configuration.configurationFile ?? "the configuration file"): the namespace \(named.order.name) "
                        + "cannot be made: \(error)", .badConfiguration)
            }
        }
    }

    private func readKeys(_ certificates: CertificateStore) throws(StartError) -> [KeyStore.Key] {
        var keys = certificates.senderKeys.map {
            KeyStore.Key(
                keyID: $0.keyID, teamID: configuration.team, key: $0.key.publicKey, privateKey: $0.key.privateKey)
        }
        for file in configuration.keys {
            do {
                let key = try ES256Key(pem: String(decoding: try TextFile.read(file.file), as: UTF8.self))
                keys.append(
                    .init(
                        keyID: file.keyID, teamID: file.teamID, key: key.publicKey, privateKey: key.privateKey,
                        topics: file.topics))
            } catch let failure as TextFile.Failure {
                throw StartError("--key \(failure)", .inputMissing)
            } catch {
                throw StartError("--key \(file.file): \(error)", .badConfiguration)
            }
        }
        return keys
    }

    /// What writes entries; they spell the reasons as the wire does.
    private func makeRenderer() -> EntryRenderer {
        var renderer = EntryRenderer(instance: instance, adminBase: adminBase)
        renderer.usesDocumentedSpelling = configuration.simulation.documentedSpelling
        return renderer
    }

    private func makeInfo(_ certificates: CertificateStore, _ log: InspectionLog?) -> AdminEnvironment.Info {
        var info = AdminEnvironment.Info()
        info.version = Version.current
        info.instance = instance
        info.pid = getpid()
        info.authorityFile = certificates.authorityFile
        info.authorityFingerprint = (try? PeerCertificate(pem: certificates.authorityPEM))?.fingerprint ?? ""
        info.logFile = log?.path
        info.seed = seed
        info.startedAtMilliseconds = ServerClock().now().machine
        info.keyID = certificates.announcedKey?.keyID ?? ""
        info.keyFile = certificates.announcedKey?.file ?? ""
        info.teamID = configuration.team
        return info
    }

    /// The admin API's URL, for links in entries; unknown while the system picks the port.
    private var adminBase: String? {
        guard case .ip(_, let port)? = configuration.admin, port != 0 else { return nil }
        return configuration.admin.map { "http://\($0)" }
    }

    /// A word of eight letters and digits that cannot be misread.
    private static func word() -> String {
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return String((0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    // MARK: Threads

    private func startAdmin(
        _ core: ServerCore, _ certificates: CertificateStore, _ facts: ServerFacts, _ ports: NamespacePorts,
        _ sender: OwnSender, _ shutdownRequest: ShutdownRequest
    ) throws(StartError) -> AdminThread? {
        guard let address = configuration.admin else { return nil }
        var environment = AdminEnvironment(
            info: { facts.info }, waitingFor: { facts.waitingFor }, shutdown: { shutdownRequest.deliver() },
            clientAuthority: certificates.clientAuthority, connections: core.connections, listeners: ports.face,
            allowedHosts: configuration.allowedHosts, adminToken: configuration.adminToken,
            corsOrigin: configuration.corsOrigin)
        environment.use = { isBegin in isBegin ? core.activity.begin() : core.activity.end() }
        environment.hasPage = configuration.hasPage
        environment.send = { order, done in sender.send(order, done) }
        environment.droppedMessages = { BackgroundWriter.error.dropped }
        environment.traffic = { core.traffic.traffic(open: core.connectionCount.load(ordering: .relaxed)) }
        do {
            return try AdminThread(address, worlds: core.worlds, environment: environment)
        } catch {
            throw bindError("--admin-listen", address, error)
        }
    }

    private func startWorkers(
        _ core: ServerCore
    ) throws(StartError) -> ([WorkerThread], LoopBound<Acceptor>, [MockServer.BoundListener]) {
        let bound = Lock<(LoopBound<Acceptor>, [MockServer.BoundListener])?>(nil)
        var others: [WorkerThread] = []
        do {
            for index in stride(from: 1, to: configuration.threads, by: 1) {
                others.append(try WorkerThread(index: index, core: core))
            }
            let first = try WorkerThread(index: 0, core: core) { [configuration, others] worker in
                let acceptor = Acceptor(core: core, local: worker, others: others)
                var listeners: [MockServer.BoundListener] = []
                for wanted in configuration.listeners + configuration.clearTextListeners {
                    do {
                        let address = try acceptor.listen(wanted)
                        listeners.append(.init(address: address, environment: wanted.environment, kind: wanted.kind))
                    } catch {
                        acceptor.close()
                        throw bindError(wanted.kind.flag, wanted.address, error)
                    }
                }
                bound.withLock { [listeners] in $0 = (LoopBound(acceptor, on: worker.loop), listeners) }
            }
            if let (acceptor, listeners) = bound.withLock({ $0 }) { return ([first] + others, acceptor, listeners) }
            throw StartError("the listeners did not start", .internalError)
        } catch {
            for worker in others { worker.perform { $0.drain() } }
            for worker in others { worker.join() }
            throw error as? StartError ?? StartError("a loop cannot start: \(error)", .internalError)
        }
    }

    private func bindError(_ flag: String, _ address: SocketAddress, _ error: any Error) -> StartError {
        guard let error = error as? EventLoopError else {
            return StartError("\(flag) \(address): \(error)", .internalError)
        }
        var text = "\(flag) \(address): \(error)"
        if error.errorNumber == EADDRINUSE { text += "; choose another address, or port 0 for a free one" }
        return StartError(text, .cannotCreate)
    }
}

extension MockServer.BoundListener {
    /// The listener as `GET /v1/info` shows it.
    fileprivate var info: AdminEnvironment.Info.Listener {
        .init(kind: kind.rawValue, address: address.description, environment: environment.rawValue)
    }
}

extension AdminEnvironment.Info.Listener {
    fileprivate init(admin address: SocketAddress) {
        self.init(kind: "admin", address: address.description, environment: "")
    }
}
