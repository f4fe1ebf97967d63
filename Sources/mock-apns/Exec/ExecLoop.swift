import APNs
import EventLoop
import Server
import Simulation
import TLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The main thread of `exec`: starts the server, runs the program beside it, and judges at the end.
final class ExecLoop {
    /// What `exec` exits with when the server cannot start.
    static let cannotStart: Int32 = 125

    private let settings: ExecSettings
    private let words: [String]
    private let environment: [String: String]
    private let reporter: Reporter
    private let loop: EventLoop
    private var signals: [SignalWatch] = []
    private var child: ChildProcess?
    private var lifetime: LoopTimer?
    private var idleness: IdleExit?

    init(_ settings: ExecSettings, _ words: [String], _ environment: [String: String], _ reporter: Reporter) throws {
        self.settings = settings
        self.words = words
        self.environment = environment
        self.reporter = reporter
        loop = try EventLoop()
    }

    /// Runs the program and returns what to exit with.
    func run() throws -> Int32 {
        let server: MockServer
        do {
            server = try MockServer.start(settings.server, reporter: reporter)
        } catch {
            reporter.error(error.description)
            return Self.cannotStart
        }
        defer { server.stop() }
        if settings.gates.contains(where: \.asksForConduct) { server.worlds.watchConduct() }
        // Before the program runs, so that no signal is lost between its start and ours.
        try watchSignals()
        let child: ChildProcess
        do {
            child = try ChildProcess(words, environment: try variables(server))
        } catch let failure as ChildProcess.Failure {
            reporter.error("\(words[0]): \(failure.words)")
            return failure.exitCode
        }
        self.child = child
        let code = try wait(for: child, server)
        server.stop()
        let objections = objections(server)
        reporter.info(server.summary)
        for objection in objections { reporter.error(objection) }
        return code == 0 && !objections.isEmpty ? ExitCode.expectationUnmet.rawValue : code
    }

    /// The environment of the program: ours, and where the server is.
    private func variables(_ server: MockServer) throws -> [String: String] {
        let certificates = server.certificates
        let bundle = TextFile.absolute("\(certificates.directory)/bundle.pem")
        try TextFile.replace(bundle, with: (SystemRoots.text ?? "") + certificates.authorityPEM.endingInLineFeed)
        return environment.merging(
            ExecEnvironment.variables(server, bundle: bundle, trusting: settings.trustsSystemWide)
        ) { $1 }
    }

    /// Hands the program the signals that come while it runs. An interrupt from the keyboard reaches it by itself, as it
    /// belongs to the same terminal.
    private func watchSignals() throws {
        let isAtTerminal = isatty(0) == 1
        for number in [SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGUSR1, SIGUSR2] {
            signals.append(
                try loop.onSignal(number) { [unowned self] in
                    if !isAtTerminal || (number != SIGINT && number != SIGQUIT) { child?.send(number) }
                })
        }
    }

    /// Waits for the end of the program.
    private func wait(for child: ChildProcess, _ server: MockServer) throws -> Int32 {
        if let milliseconds = settings.server.process.maxLifetimeMilliseconds {
            lifetime = try loop.after(milliseconds: milliseconds) { [reporter] in
                reporter.error("--max-lifetime is over: the program is told to end")
                child.send(SIGTERM)
            }
        }
        if let limit = settings.server.process.idleExitMilliseconds {
            idleness = try IdleExit(server, limit: limit, on: loop) { [reporter] reason in
                reporter.error("\(reason): the program is told to end")
                child.send(SIGTERM)
            }
        }
        let watch = try loop.onExit(ofProcess: child.number) { [unowned loop] in loop.stop() }
        loop.run()
        signals = []
        lifetime = nil
        idleness = nil
        return withExtendedLifetime(watch) { child.wait() }
    }

    /// What the gates object to, a sentence each: what was counted in the life of the run, in all namespaces.
    private func objections(_ server: MockServer) -> [String] {
        guard !settings.gates.isEmpty else { return [] }
        return server.worlds.tally.objections(settings.gates, allowing: settings.allowed).map {
            "--fail-on \($0.gate.word): \($0.words)"
        }
    }
}
