import EventLoop
import Server

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The main thread of `serve`: starts the server, says that it is ready, and waits for a reason to stop.
final class ServeLoop {
    private let configuration: Configuration
    private let reporter: Reporter
    private let loop: EventLoop
    private var signals: [SignalWatch] = []
    private var lifetime: LoopTimer?
    private var idleness: IdleExit?
    private var input: StandardInput?
    private var parent: ProcessWatch?
    /// Whether a terminal that hangs up ends the server: there is one, and SIGHUP was not ignored (`nohup`).
    private let endsWithTerminal: Bool

    init(_ configuration: Configuration, _ reporter: Reporter) throws {
        self.configuration = configuration
        self.reporter = reporter
        loop = try EventLoop()
        endsWithTerminal = Self.hasTerminal && !Self.isHangUpIgnored
    }

    /// Serves until there is a reason to stop.
    func run() throws -> ExitCode {
        try watchSignals()
        let server = try MockServer.start(configuration, reporter: reporter)
        try watchNews(server)
        server.onShutdownRequest { [mailbox = loop.mailbox] in mailbox.post { $0.stop() } }
        try watchLifetime()
        try watchIdleness(server)
        let printer = EntryPrinter(server, configuration.process, loop.mailbox)
        try announce(server)
        loop.run()
        // From here on a second signal ends the process at once.
        signals = []
        printer?.stop()
        server.stop()
        reporter.info(server.summary)
        return .success
    }

    private func watchSignals() throws {
        for number in [SIGTERM, SIGINT] {
            signals.append(try loop.onSignal(number) { [unowned loop] in loop.stop() })
        }
    }

    /// SIGHUP opens the log anew, as after a rotation; SIGUSR1 says what the server is doing.
    private func watchNews(_ server: MockServer) throws {
        signals.append(
            try loop.onSignal(SIGHUP) { [unowned self] in
                if endsWithTerminal, !Self.hasTerminal { return end(because: "the terminal hung up") }
                reporter.info(server.reopenLog())
            })
        signals.append(try loop.onSignal(SIGUSR1) { [unowned self] in dump(server) })
    }

    /// Prints the state whatever the log level: somebody has asked for it.
    private func dump(_ server: MockServer) {
        server.describeState { BackgroundWriter.error.write($0 + "\n") }
    }

    /// Whether the process has a terminal that controls it; after that has hung up it has none.
    private static var hasTerminal: Bool {
        let descriptor = unsafe open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        _ = close(descriptor)
        return true
    }

    private static var isHangUpIgnored: Bool {
        let handler = signal(SIGHUP, SIG_IGN)
        _ = signal(SIGHUP, handler)
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private func watchLifetime() throws {
        if let milliseconds = configuration.process.maxLifetimeMilliseconds {
            lifetime = try loop.after(milliseconds: milliseconds) { [unowned self] in
                end(because: "--max-lifetime is over")
            }
        }
        if configuration.process.exitsOnStandardInputClose {
            input = try StandardInput(loop) { [unowned self] in end(because: "standard input was closed") }
        }
        if let number = configuration.process.parentProcess {
            parent = try loop.onExit(ofProcess: number) { [unowned self] in end(because: "process \(number) has ended")
            }
        }
    }

    private func watchIdleness(_ server: MockServer) throws {
        guard let limit = configuration.process.idleExitMilliseconds else { return }
        idleness = try IdleExit(server, limit: limit, on: loop) { [unowned self] in end(because: $0) }
    }

    private func end(because reason: String) {
        reporter.info("stopping: \(reason)")
        loop.stop()
    }

    /// Says that the server is ready, in every way that was asked for; on standard output last, so that whoever reads it
    /// there finds the file.
    private func announce(_ server: MockServer) throws {
        let report = ReadyReport(server)
        let process = configuration.process
        if let file = process.readyFile {
            do {
                // A FIFO is opened when its reader comes, which may be never.
                if TextFile.isStream(file) {
                    BackgroundWriter(.path(file)).write(report.json + "\n")
                } else {
                    try TextFile.replace(file, with: report.json + "\n")
                }
            } catch {
                server.stop()
                throw CommandFailure("--ready-file \(error)", .cannotCreate)
            }
        }
        if let descriptor = process.readyDescriptor {
            guard TextFile.isWritable(descriptor) else {
                server.stop()
                throw CommandFailure("--ready-fd \(descriptor): cannot be written", .inputOutput)
            }
            BackgroundWriter(.lastWord(descriptor)).write(report.json + "\n")
        }
        switch process.ready {
        case .line: BackgroundWriter.output.write(report.line + "\n")
        case .json: BackgroundWriter.output.write(report.json + "\n")
        case .off: break
        }
        if StandardStream.error.isTerminal { reporter.info(report.firstSteps) }
    }
}
