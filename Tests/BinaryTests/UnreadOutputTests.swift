import EventLoop
import Foundation
import TestSupport
import Testing

/// Nobody reads what the server writes: it serves all the same, and one SIGTERM ends it.
@Suite(.serialized) struct UnreadOutputTests {
    /// A place that the server writes to and that nobody reads.
    enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case standardError, standardOutput, readyDescriptor, readyFile

        var testDescription: String { rawValue }
    }

    /// A pipe without room, whose reader sleeps.
    private static func fullPipe() throws -> Pipe {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        #expect(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
        let filler = [UInt8](repeating: UInt8(ascii: "\n"), count: 4096)
        while write(descriptor, filler, filler.count) > 0 {}
        while write(descriptor, filler, 1) > 0 {}
        #expect(fcntl(descriptor, F_SETFL, flags) == 0)
        return pipe
    }

    @Test(arguments: Place.allCases)
    func `a server whose output nobody reads gets ready, answers and ends`(_ place: Place) throws {
        let folder = try TemporaryFolder()
        let ready = folder.file("ready.json")
        var arguments = [
            "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log", "off", "--log-level", "debug",
        ]
        let full = try Self.fullPipe()
        let process: Process
        if place == .readyDescriptor {
            // The shell hands descriptor 3 on; Foundation closes what it does not know.
            arguments += ["--ready-fd", "3", "--ready-file", ready]
            process = Program.process([], [:], in: folder)
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exec \"$0\" \"$@\" 3>&1 >/dev/null", Program.url.path] + arguments
            process.standardOutput = full
            process.standardError = FileHandle.nullDevice
        } else {
            let fifo = folder.file("ready.fifo")
            #expect(mkfifo(fifo, 0o600) == 0)
            // A server whose ready file is a FIFO without a reader is found by its log line on standard error.
            arguments += ["--ready-file", place == .readyFile ? fifo : ready]
            if place == .readyFile { arguments += ["--ready", "json"] }
            process = Program.process(arguments, [:], in: folder)
            process.standardError = place == .standardError ? full : FileHandle.nullDevice
            process.standardOutput = place == .standardOutput ? full : FileHandle.nullDevice
            if place == .readyFile { process.standardOutput = FileHandle(forWritingAtPath: Self.make(ready)) }
        }
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let facts = try Self.facts(in: ready, of: process)
        let sent = try Program.run("send", "--url", facts.apns.url, "--to", Self.device, "--count", "3", in: folder)
        #expect(sent.exitCode == 0, "\(sent.errors)")
        let live = try Program.run("ready", variables: ["MOCK_APNS_ADMIN": facts.admin ?? ""], in: folder)
        #expect(live.exitCode == 0, "\(live.errors)")
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func `what nobody reads of standard error is dropped and counted, and pushes go on`() throws {
        let folder = try TemporaryFolder()
        let ready = folder.file("ready.json")
        let process = Program.process(
            [
                "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log", "off", "--ready-file",
                ready,
            ], [:], in: folder)
        process.standardError = try Self.fullPipe()
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let facts = try Self.facts(in: ready, of: process)
        let admin = try #require(facts.admin)
        // Each connection that is no TLS is a warning of some 200 bytes, a hundred of which are told in a second.
        try Self.wait {
            for _ in 0..<100 {
                try RawConnection(.ip(host: facts.apns.host, port: facts.apns.port)).send("NO\r\n\r\n")
            }
            return try Self.dropped(admin) > 0
        }
        let sent = try Program.run("send", "--url", facts.apns.url, "--to", Self.device, in: folder)
        #expect(sent.exitCode == 0, "\(sent.errors)")
    }

    // MARK: The inspection log

    @Test func `a log whose reader pauses refuses pushes in time, and takes them when it reads again`() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.file("log.fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        // Opened for both, so that neither side waits for the other.
        let reader = open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let server = try ServeProcess("--log", fifo, in: folder)
        var accepted = 0
        var refused: Program.Run?
        for _ in 0..<80 where refused == nil {
            let run = try server.send(
                "--to", Self.device, "--count", "50", "--body", String(repeating: "x", count: 1000))
            if run.exitCode == 0 { accepted += 50 } else { refused = run }
        }
        #expect(accepted > 0)
        #expect(try #require(refused).output.contains("ServiceUnavailable"), "\(refused?.output ?? "")")
        // The reader reads on: every line is whole, and pushes are accepted again.
        var text = Self.drain(reader)
        let again = try server.send("--to", Self.device, "--count", "5")
        #expect(again.exitCode == 0, "\(again.output)")
        text += Self.drain(reader)
        let lines = text.split(separator: "\n").map {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(lines.allSatisfy { $0 != nil })
        let logged = lines.count { $0?["outcome"] as? String == "accepted" }
        #expect(logged >= accepted + 5)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    @Test func `a log that is a FIFO without a reader is refused at start`() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.file("log.fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let run = try Program.run(
            "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--log", fifo, in: folder)
        #expect(run.exitCode == 73)
        #expect(run.errors.contains("nobody reads"), "\(run.errors)")
    }

    @Test func `SIGHUP opens the log anew, and SIGUSR1 says what the server does`() throws {
        let folder = try TemporaryFolder()
        let log = folder.file("inspection.ndjson")
        let server = try ServeProcess("--log", log, "--log-level", "info", in: folder)
        #expect(try server.send("--to", Self.device).exitCode == 0)
        try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
        server.signal(SIGHUP)
        try Self.wait { try server.errorText.contains("opened anew") }
        #expect(try server.send("--to", Self.device).exitCode == 0)
        for path in [log, log + ".1"] {
            #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 1, "\(path)")
        }
        server.signal(SIGUSR1)
        try Self.wait {
            try server.errorText.contains("loop admin: answers") && server.errorText.contains("loop apns-0: answers")
        }
        #expect(try server.errorText.contains("2 accepted"))
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    // MARK: Helpers

    private static let device = String(repeating: "ab", count: 32)

    private static func make(_ path: String) -> String {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return path
    }

    /// Waits for the ready file; the process must not end meanwhile.
    private static func facts(in path: String, of process: Process) throws -> ServeProcess.Facts {
        var facts: ServeProcess.Facts?
        try wait {
            guard process.isRunning else {
                throw TestConnection.Failure("the server ended: \(process.terminationStatus)")
            }
            facts = (try? Data(contentsOf: URL(filePath: path))).flatMap {
                try? JSONDecoder().decode(ServeProcess.Facts.self, from: $0)
            }
            return facts != nil
        }
        return try #require(facts)
    }

    /// Looks again and again, up to a time that only a hang reaches: files and counters of another process tell nobody when
    /// they change.
    private static func wait(_ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(30)
        while try !condition() {
            guard ContinuousClock.now < end else { throw TestConnection.Failure("it did not happen within 30 s") }
            usleep(5_000)
        }
    }

    private static func dropped(_ admin: String) throws -> Int {
        let address = try #require(URLComponents(string: admin))
        let connection = try RawConnection(
            .ip(host: try #require(address.host), port: UInt16(try #require(address.port))))
        try connection.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let page = try connection.receiveAll()
        let line = page.split(whereSeparator: \.isNewline).first {
            $0.hasPrefix("mock_apns_diagnostics_dropped_total ")
        }
        return Int(try #require(line).split(separator: " ")[1]) ?? -1
    }

    /// All that can be read now.
    private static func drain(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }
}
