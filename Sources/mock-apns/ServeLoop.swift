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

    init(_ configuration: Configuration, _ reporter: Reporter) throws {
        self.configuration = configuration
        self.reporter = reporter
        loop = try EventLoop()
    }

    /// Serves until there is a reason to stop.
    func run() throws -> ExitCode {
        try watchSignals()
        let server = try MockServer.start(configuration, reporter: reporter)
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
                try TextFile.replace(file, with: report.json + "\n")
            } catch {
                server.stop()
                throw CommandFailure("--ready-file \(error)", .cannotCreate)
            }
        }
        if let descriptor = process.readyDescriptor {
            if !TextFile.write(report.json + "\n", to: descriptor) {
                server.stop()
                throw CommandFailure("--ready-fd \(descriptor): cannot be written", .inputOutput)
            }
            _ = close(descriptor)
        }
        switch process.ready {
        case .line: _ = TextFile.write(report.line + "\n", to: StandardStream.output.rawValue)
        case .json: _ = TextFile.write(report.json + "\n", to: StandardStream.output.rawValue)
        case .off: break
        }
        if StandardStream.error.isTerminal { reporter.info(report.firstSteps) }
    }
}
