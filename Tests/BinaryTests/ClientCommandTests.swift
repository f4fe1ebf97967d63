import Foundation
import HTTP2
import TestSupport
import Testing

/// The commands that ask a running server.
struct ClientCommandTests {
    private let device = TestServer.randomDevice()

    @Test func `a push is sent, waited for, listed and shown`() throws {
        let server = try ServeProcess()
        #expect(try server.ask("ready").exitCode == 0)
        let cursor = try server.ask("cursor").output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(cursor == "0")
        let sent = try server.send("--to", device, "--title", "Shipped", "--data", "orderId=42", "--data", "note=a b")
        #expect(sent.exitCode == 0)
        #expect(sent.output.hasPrefix("200 apns-id "))

        let waited = try server.ask(
            "wait", "--after", cursor, "--device", device, "--where", "aps.alert.title=Ship*", "--where",
            "payload.orderId=42", "--exactly", "1", "-o", "ndjson")
        #expect(waited.exitCode == 0, "\(waited.errors)")
        #expect(waited.output.split(separator: "\n").count == 1)
        let entry = try #require(
            try JSONSerialization.jsonObject(with: Data(waited.output.utf8)) as? [String: Any])
        #expect(entry["device"] as? String == device)
        let id = try #require(entry["id"] as? String)

        #expect(try server.ask("show", id, "-o", "json").output.contains(device))
        #expect(try server.ask("show", id, "--raw").output.contains("a b"))
        #expect(try server.ask("list").output.contains("Shipped"))
        #expect(try server.ask("last", "-o", "json").output.contains(id))
        #expect(try server.ask("tail", "--lines", "5").output.contains("Shipped"))
        #expect(try server.ask("wait", "--device", device, "-q").output.isEmpty)
    }

    @Test func `an entry is shown as something to paste`() throws {
        let server = try ServeProcess()
        #expect(try server.send("--to", device, "--title", "It's here").exitCode == 0)
        let curl = try server.ask("show", "1", "--curl")
        #expect(curl.output.hasPrefix("curl --http2 --cacert "), "\(curl.output)\(curl.errors)")
        #expect(curl.output.contains("bearer $JWT"))
        #expect(try server.ask("show", "1", "--apns").output.hasPrefix(#"{"Simulator Target Bundle":"#))
        #expect(try server.ask("show", "1", "--test", "pytest").output.contains("httpx.get("))
        #expect(try server.ask("show", "1", "--test", "cobol").exitCode == 65)
    }

    @Test func `a report and an export are printed, written, and decide the exit code`() throws {
        let server = try ServeProcess()
        #expect(try server.send("--to", device, "--title", "Shipped").exitCode == 0)
        // By a sender of its own: what `send` was told to send is held against nobody.
        let client = try server.client()
        let fields = try server.pushFields() + [("apns-priority", "7")]
        for _ in 1...2 {
            #expect(try client.request(fields, #"{"aps":{"alert":"x"}}"#).status == 400)
            // The next one comes later by the clock that entries have.
            _ = try server.ask("cursor")
        }
        #expect(try server.ask("report").output.contains("**L004**"))
        #expect(try server.ask("report", "-o", "json").output.contains(#""code":"L004""#))
        #expect(try server.ask("report", "--format", "junit").output.hasPrefix("<?xml"))
        for (condition, code) in [("error", Int32(1)), ("rejected", 1), ("L004", 1), ("L001,L005", 0)] {
            #expect(try server.ask("report", "-q", "--fail-on", condition).exitCode == code, "\(condition)")
        }
        #expect(try server.ask("report", "--after", "3", "--fail-on", "warning").exitCode == 0)
        #expect(try server.ask("export").output.split(separator: "\n").count == 3)
        #expect(try server.ask("export", "--format", "junit", "-O", "junit.xml").exitCode == 0)
        let junit = try String(contentsOfFile: server.folder.file("junit.xml"), encoding: .utf8)
        #expect(junit.contains(#"tests="3" failures="2""#))
        #expect(try server.ask("openapi").output.hasPrefix(#"{"openapi":"3.1.0""#))
    }

    @Test func `an expectation that is not met is exit code 1 with the nearest misses`() throws {
        let server = try ServeProcess()
        let refused = try server.send("--to", device, "--priority", "7", "--title", "Shipped")
        #expect(refused.exitCode == 1)
        #expect(refused.output.hasPrefix("400 BadPriority"))
        let wait = try server.ask("wait", "--device", device, "--for", "1ms")
        #expect(wait.exitCode == 1)
        #expect(wait.output.isEmpty)
        #expect(wait.errors.contains("BadPriority"), "\(wait.errors)")
        #expect(try server.ask("wait", "--device", device, "--none", "--for", "1ms").exitCode == 0)
        #expect(try server.ask("last", "--device", device).exitCode == 1)
        #expect(try server.ask("show", "n_nothing").exitCode == 1)
        let json = try server.ask("wait", "--device", device, "--for", "1ms", "-o", "json")
        #expect(json.exitCode == 1)
        #expect(json.output.contains("\"nearMisses\""))
    }

    @Test func `a filter that the server does not understand is exit code 65`() throws {
        let server = try ServeProcess()
        let run = try server.ask("list", "--env", "staging")
        #expect(run.exitCode == 65, "\(run.output) \(run.errors)")
        #expect(run.errors.contains("staging"))
    }

    @Test func `several expectations are verified, from flags and from a file`() throws {
        let server = try ServeProcess()
        for title in ["Shipped", "Out for delivery", "Delivered"] {
            #expect(try server.send("--to", device, "--title", title).exitCode == 0)
        }
        let expected = [
            "verify", "--ordered", "--no-others", "--no-rejections", "--settle", "1ms",
            "--expect", "device=\(device) aps.alert.title=Shipped exactly=1",
            "--expect", "aps.alert.title='Out for *'", "--expect", "aps.alert.title=Delivered,Returned",
            "--never", "type=background",
        ]
        let passed = try Program.run(
            arguments: expected, variables: ["MOCK_APNS_ADMIN": server.admin], in: server.folder)
        #expect(passed.exitCode == 0, "\(passed.errors)")
        #expect(passed.output.hasPrefix("verified: device=\(device)"))
        let failed = try server.ask("verify", "--for", "0", "--expect", "aps.alert.title=Lost")
        #expect(failed.exitCode == 1)
        #expect(failed.errors.hasPrefix("verification failed: 1 of 1 expectation not met"), "\(failed.errors)")

        try #"{"expect": [{"name": "all", "match": {"device": "\#(device)"}, "exactly": 2}]}"#.write(
            toFile: server.folder.file("verify.json"), atomically: true, encoding: .utf8)
        let file = try server.ask("verify", "verify.json", "-o", "json")
        #expect(file.exitCode == 1)
        #expect(file.output.contains("3 notifications arrived where exactly 2 were expected"), "\(file.output)")
        #expect(try server.ask("verify", "verify.json", "--after", "1").exitCode == 0)
        #expect(try server.ask("verify").exitCode == 65)
        #expect(try server.ask("verify", "missing.json").exitCode == 66)
        #expect(try server.ask("verify", "--expect", "device").exitCode == 64)
        #expect(try server.ask("verify", "--never", "device=x exactly=1").exitCode == 64)
        let unknown = try server.ask("verify", "--expect", "devise=x")
        #expect(unknown.exitCode == 65)
        #expect(unknown.errors.contains("Did you mean \"device\"?"), "\(unknown.errors)")
    }

    @Test func `a wait that is waiting gets the push that comes`() throws {
        let server = try ServeProcess()
        let process = Program.process(
            ["wait", "--device", device, "--admin", server.admin, "--for", "30s"], in: server.folder)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        #expect(try server.send("--to", device, "--title", "Late").exitCode == 0)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).contains("Late"))
    }

    @Test func `tail follows without losing or repeating an entry`() throws {
        let server = try ServeProcess()
        #expect(try server.send("--to", device, "--title", "push 0").exitCode == 0)
        let process = Program.process(["tail", "-f", "--admin", server.admin], in: server.folder)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        for number in 1...5 {
            #expect(try server.send("--to", device, "--title", "push \(number)").exitCode == 0)
        }
        var text = ""
        while !text.contains("push 5"), let data = try output.fileHandleForReading.read(upToCount: 1) {
            text += String(decoding: data, as: UTF8.self)
        }
        process.terminate()
        process.waitUntilExit()
        for number in 0...5 { #expect(text.components(separatedBy: "push \(number)").count == 2, "\(text)") }
    }

    @Test func `load is summarised`() throws {
        let server = try ServeProcess("--threads", "2")
        let run = try server.send("--to", device, "--count", "300", "--connections", "4")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("300 answers in "), "\(run.output)")
        #expect(run.output.contains("over 4 connections: 300 × 200"))
        let json = try server.send("--to", "ab", "--count", "20", "-o", "json")
        #expect(json.exitCode == 1)
        #expect(json.output.contains("\"refused\":{\"400 BadDeviceToken\":20}"), "\(json.output)")
        #expect(try server.ask("wait", "--device", device, "--count", "300", "-q").exitCode == 0)
    }

    @Test func `a rate is kept`() throws {
        let server = try ServeProcess()
        // Without the rate the first write holds hundreds of pushes.
        let sender = Program.process(
            ["send", "--url", server.facts.apns.url, "--to", device, "--count", "100000", "--rate", "1", "-q"],
            in: server.folder)
        try sender.run()
        defer {
            sender.terminate()
            sender.waitUntilExit()
        }
        #expect(try server.ask("wait", "--device", device, "--count", "1", "-q").exitCode == 0)
        let list = try server.ask("list", "--device", device, "-o", "json").output
        let matched = try #require(list.firstMatch(of: /"matched":([0-9]+)/)?.1).description
        #expect(Int(matched).map { (1..<100).contains($0) } == true, "\(matched) of 100000 have come")
        #expect(sender.isRunning)
    }

    @Test func `the CA is printed, written and bundled`() throws {
        let server = try ServeProcess()
        let printed = try server.ask("ca").output
        #expect(printed == (try String(contentsOfFile: server.facts.caFile, encoding: .utf8)))
        #expect(try server.ask("ca", "-O", "copy.pem").exitCode == 0)
        #expect(try String(contentsOfFile: server.folder.file("copy.pem"), encoding: .utf8) == printed)
    }

    @Test func `an admin token is asked for, and given by flag or variable`() throws {
        let server = try ServeProcess("--admin-token", "secret")
        let refused = try server.ask("list")
        #expect(refused.exitCode == 77, "\(refused.errors)")
        #expect(try server.ask("list", "--admin-token", "secret").exitCode == 0)
        #expect(try server.ask("list", variables: ["MOCK_APNS_ADMIN_TOKEN": "secret"]).exitCode == 0)
        #expect(try server.ask("ready").exitCode == 0)
    }

    @Test func `ready waits for a server that starts`() throws {
        let folder = try TemporaryFolder()
        let socket = try ServeProcess(in: folder)
        let admin = socket.admin
        socket.signal(SIGTERM)
        #expect(socket.wait() == 0)
        // The port of a server that has just ended is free; the next one starts after `ready` began to wait.
        let waiting = Program.process(["ready", "--wait", "30s", "--admin", admin], in: folder)
        try waiting.run()
        let address = try #require(admin.split(separator: "/").last)
        let server = try ServeProcess("--admin-listen", String(address), in: folder)
        waiting.waitUntilExit()
        #expect(waiting.terminationStatus == 0)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
    }

    @Test func `send explains a server that it does not trust`() throws {
        let server = try ServeProcess()
        let other = try ServeProcess()
        let run = try Program.run(
            arguments: ["send", "--url", server.facts.apns.url, "--to", device, "--ca", other.facts.caFile],
            in: server.folder)
        #expect(run.exitCode == 69)
        #expect(run.errors.contains("TLS"), "\(run.errors)")
    }
}
