import Foundation
import TestSupport
import Testing

/// `serve --resume`: the entries of the run before.
struct ResumeTests {
    /// The entries of a server, as the admin API gives them.
    private func entries(_ server: ServeProcess) throws -> [[String: Any]] {
        let run = try server.ask("list", "-o", "json")
        let list = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return try #require(list?["items"] as? [[String: Any]], "\(run.output) \(run.errors)")
    }

    private func stop(_ server: ServeProcess) throws {
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    @Test func `lists, ids, cursors and waits go on where the server before was killed`() throws {
        let folder = try TemporaryFolder()
        let devices = (0..<3).map { _ in TestServer.randomDevice() }
        let first = try ServeProcess(in: folder)
        #expect(try first.send("--to", devices[0], "--title", "One", "--collapse-id", "c").exitCode == 0)
        #expect(try first.send("--to", "ab").exitCode == 1)
        #expect(try first.send("--to", devices[1], "--title", "Two").exitCode == 0)
        let before = try entries(first)
        let cursor = try first.ask("cursor").output.trimmingCharacters(in: .newlines)
        #expect(cursor == "3")
        first.signal(SIGKILL)
        #expect(first.wait() == -SIGKILL)

        let second = try ServeProcess("--resume", in: folder)
        #expect(try second.errorText.contains("--resume: 3 of default came back from inspection.ndjson"))
        let after = try entries(second)
        for member in ["id", "seq", "outcome", "device", "topic", "apnsId", "payload", "display", "auth", "rejection"] {
            #expect(
                after.map { $0[member] as? NSObject } == before.map { $0[member] as? NSObject }, "\(member)")
        }
        let id = try #require(before[0]["id"] as? String)
        #expect(try second.ask("show", id).output.contains("One"))
        #expect(try second.ask("show", id, "--raw").output.contains("apns-collapse-id: c"))
        #expect(try second.ask("list", "--where", "aps.alert.title=Two", "-o", "json").output.contains(devices[1]))
        #expect(try second.ask("wait", "--after", "2", "--device", devices[1], "--for", "0ms").exitCode == 0)
        #expect(try second.ask("wait", "--after", cursor, "--for", "0ms").exitCode == 1)
        #expect(try second.send("--to", devices[2], "--title", "Three").exitCode == 0)
        let found = try second.ask("wait", "--after", cursor, "--for", "5s", "-o", "json")
        #expect(found.exitCode == 0 && found.output.contains("\"seq\":4"), "\(found.output)")
        // The connections of both runs have different numbers.
        let connections = try entries(second).compactMap { ($0["connection"] as? [String: Any])?["id"] as? String }
        #expect(connections == ["c1", "c2", "c3", "c4"])
        try stop(second)

        let third = try ServeProcess("--resume", in: folder)
        #expect(try entries(third).compactMap { $0["seq"] as? Int } == [1, 2, 3, 4])
        try stop(third)
        let fourth = try ServeProcess(in: folder)
        #expect(try entries(fourth).isEmpty)
    }

    @Test func `a broken line is named, and a namespace that is gone is said`() throws {
        let folder = try TemporaryFolder()
        let config = #"{namespaces: [{name: "suite", topics: ["com.suite"]}]}"#
        try config.write(toFile: folder.file("config.json"), atomically: true, encoding: .utf8)
        let first = try ServeProcess("--config", "config.json", in: folder)
        #expect(try first.send("--to", TestServer.randomDevice()).exitCode == 0)
        #expect(try first.send("--to", TestServer.randomDevice(), "--topic", "com.suite").exitCode == 0)
        try stop(first)
        let path = folder.file("inspection.ndjson")
        let lines = try folder.lines(of: "inspection.ndjson")
        try #require(lines.count == 2)
        try "\(lines[0])\n{\"seq\":no}\n\(lines[1])\n".write(toFile: path, atomically: true, encoding: .utf8)

        let second = try ServeProcess("--resume", in: folder)
        let words = try second.errorText
        #expect(words.contains("inspection.ndjson, line 2, is no entry and stays out: it is not JSON"), "\(words)")
        #expect(words.contains("entries of namespaces that do not exist stay in the file: suite (1);"), "\(words)")
        #expect(try entries(second).count == 1)
        try stop(second)
        let third = try ServeProcess("--resume", "--config", "config.json", in: folder)
        #expect(try third.errorText.contains("--resume: 1 of default, 1 of suite came back"))
        #expect(try third.ask("list", "-n", "suite", "-o", "json").output.contains("com.suite"))
    }

    @Test func `two servers with one log are warned about, and what is left behind is counted`() throws {
        let folder = try TemporaryFolder()
        let first = try ServeProcess(in: folder)
        #expect(try !first.errorText.contains("another server"))
        let second = try ServeProcess(in: folder)
        let words = try second.errorText
        #expect(words.contains("warning: another server writes to inspection.ndjson too"), "\(words)")
        #expect(words.contains("--resume") && words.contains("--log FILE"), "\(words)")
        let third = try ServeProcess("--log", "third.ndjson", in: folder)
        #expect(try !third.errorText.contains("another server"))
        for server in [first, second, second] {
            #expect(try server.send("--to", TestServer.randomDevice()).exitCode == 0)
        }
        try stop(first)
        try stop(second)
        let fourth = try ServeProcess("--resume", in: folder)
        let told = try fourth.errorText
        #expect(!told.contains("another server writes"), "\(told)")
        #expect(told.contains("2 of default came back from inspection.ndjson; the line before belongs"), "\(told)")
    }

    @Test func `without a log there is nothing to resume`() throws {
        for arguments in [["serve", "--ephemeral", "--resume", "--log", "off"], ["serve", "--resume", "--log=off"]] {
            let run = try Program.run(arguments: arguments)
            #expect(run.exitCode == 64)
            #expect(
                run.errors.contains("--resume reads the inspection log") && run.errors.contains("leave one of them out")
            )
            #expect(run.output.isEmpty)
        }
    }

    @Test func `a server that nobody uses ends by itself`() throws {
        let server = try ServeProcess("--idle-exit", "50ms")
        #expect(server.wait() == 0)
        let words = try server.errorText
        #expect(
            words.contains("stopping: --idle-exit: no push, connection or call of the admin API for 50 ms"), "\(words)")
    }

    @Test func `a waiting test is use, and the time begins anew when it ends`() throws {
        let server = try ServeProcess("--idle-exit", "400ms")
        // Longer than the limit: the answer is the wait's own, not that of a server that stops.
        let run = try server.ask("wait", "--for", "1s")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("expectation not met"), "\(run.errors)")
        #expect(server.process.isRunning)
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("--idle-exit"))
    }

    @Test func `a push whose answer a rule holds back is use`() throws {
        let server = try ServeProcess("--idle-exit", "400ms")
        #expect(try server.ask("rules", "add", #"{"then": {"accept": true, "delay": "1s"}}"#).exitCode == 0)
        let run = try server.send("--to", String(repeating: "ab", count: 32), "--title", "late")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(server.wait() == 0)
    }

    @Test func `a sender has the answers that GOAWAY promises`() throws {
        let server = try ServeProcess()
        #expect(try server.ask("rules", "add", #"{"then": {"accept": true, "delay": "700ms"}}"#).exitCode == 0)
        let device = String(repeating: "ab", count: 32)
        let output = try Capture(server.folder)
        let sender = Program.process(
            ["send", "--url", server.facts.apns.url, "--to", device, "--title", "late"], in: server.folder)
        sender.standardOutput = output.handle
        sender.standardError = output.handle
        try sender.run()
        // The entry is there before its answer has left.
        #expect(try server.ask("wait", "--device", device, "--for", "20s").exitCode == 0)
        server.signal(SIGTERM)
        sender.waitUntilExit()
        let words = try output.text
        #expect(sender.terminationStatus == 0, "\(words)")
        #expect(server.wait() == 0)
    }

    @Test func `the program of exec is told to end when it leaves the server idle`() throws {
        let run = try Program.run(
            "exec", "--idle-exit", "50ms", "--log", "off", "--", "/bin/sh", "-c",
            "trap 'exit 3' TERM; while :; do :; done")
        #expect(run.exitCode == 3)
        #expect(run.errors.contains("--idle-exit") && run.errors.contains("the program is told to end"))
    }
}
