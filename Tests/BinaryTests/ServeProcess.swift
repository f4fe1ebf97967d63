import EventLoop
import Foundation
import TestSupport
import Testing

/// A server in a process of its own, on free ports.
final class ServeProcess {
    /// The parts of the ready file that tests use.
    struct Facts: Decodable {
        struct Listener: Decodable {
            let url: String
            let host: String
            let port: UInt16
        }
        let apns: Listener
        let h2c: Listener?
        let http1: Listener?
        let admin: String?
        let caFile: String
        let keyFile: String
        let keyId: String
        let teamId: String
        let pid: Int32
        let seed: UInt64
    }

    let process: Process
    let folder: TemporaryFolder
    let facts: Facts
    /// All that came to standard output up to the ready line.
    let readyText: String
    private let errors: Capture
    private let output: Pipe
    private let input = Pipe()

    /// Starts `serve` with these flags and waits until it is ready.
    init(_ flags: String..., variables: [String: String] = [:], in folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        try TestServer.provideClientKey(in: folder)
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--ready", "json"]
        process = Program.process(arguments + flags, variables, in: folder)
        errors = try Capture(folder)
        output = Pipe()
        process.standardError = errors.handle
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        readyText = Self.line(from: output.fileHandleForReading)
        guard let facts = try? JSONDecoder().decode(Facts.self, from: Data(readyText.utf8)) else {
            process.waitUntilExit()
            throw TestConnection.Failure("not ready: \(readyText) \(try errors.text)")
        }
        self.facts = facts
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// The address of the APNs listener.
    var address: SocketAddress { .ip(host: facts.apns.host, port: facts.apns.port) }
    /// The address of the admin API.
    var admin: String { facts.admin ?? "" }

    /// A client of the listener.
    func client() throws -> TestClient {
        try TestClient(address, options)
    }

    /// How to connect to the listener.
    var options: TestConnection.Options {
        .with { $0.trust = .authority(facts.caFile) }
    }

    /// Runs a command that asks this server.
    func ask(_ command: String, _ arguments: String..., variables: [String: String] = [:]) throws -> Program.Run {
        try Program.run(
            arguments: [command] + arguments, variables: variables.merging(["MOCK_APNS_ADMIN": admin]) { $1 },
            in: folder)
    }

    /// Runs `send` against this server.
    func send(_ arguments: String...) throws -> Program.Run {
        try Program.run(arguments: ["send", "--url", facts.apns.url] + arguments, in: folder)
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Closes the server's standard input.
    func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// Waits for the end; the exit code, negative after a signal.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
    }

    /// What came to standard error so far.
    var errorText: String {
        get throws { try errors.text }
    }

    /// What came to standard output after the ready line; waits for its end.
    var rest: String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Reads up to a line feed, byte by byte, so that nothing behind it is lost.
    private static func line(from handle: FileHandle) -> String {
        var bytes: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ServeProcess {
    /// The header fields of a good push with a provider token; `send` is not used, so that a test can see each answer.
    func pushFields() throws -> [(String, String)] {
        let bearer = try TestServer.bearer(keyFile: facts.keyFile, keyID: facts.keyId, teamID: facts.teamId)
        return [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/3/device/\(TestServer.randomDevice())"), ("authorization", bearer),
            ("apns-topic", "com.example.app"), ("apns-push-type", "alert"),
        ]
    }
}
