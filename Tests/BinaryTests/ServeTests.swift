import EventLoop
import Foundation
import HTTP2
import TestSupport
import Testing

/// How the server starts, says that it is ready, and ends.
struct ServeTests {
    @Test func `the ready line is one line and comes when all is bound`() throws {
        let folder = try TemporaryFolder()
        let process = Program.process(
            [
                "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--exit-on-stdin-close", "--seed",
                "8831",
            ],
            in: folder)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
            line += byte
        }
        let text = String(decoding: line, as: UTF8.self)
        let form =
            #/^mock-apns ready apns=https://127\.0\.0\.1:(\d+) admin=http://127\.0\.0\.1:(\d+) h2c=- http1=- ca=certs/ca\.pem /#
        let match = try #require(text.firstMatch(of: form), "\(text)")
        #expect(
            text.hasSuffix(
                " key=MOCK000001 team=MOCKTEAM01 profile=strict seed=8831 pid=\(process.processIdentifier)\n"))
        for port in [match.1, match.2] {
            close(try OutgoingConnection.open(to: .ip(host: "127.0.0.1", port: try #require(UInt16(port)))))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }

    @Test func `ephemeral listens on every kind of port and says so in each form`() throws {
        let folder = try TemporaryFolder()
        let server = try ServeProcess("--ephemeral", "--ready-file", "ready.json", in: folder)
        let h2c = try #require(server.facts.h2c)
        let http1 = try #require(server.facts.http1)
        #expect(h2c.url == "http://127.0.0.1:\(h2c.port)")
        #expect(http1.url == "http://127.0.0.1:\(http1.port)")
        #expect(Set([server.facts.apns.port, h2c.port, http1.port]).count == 3)
        let client = try TestHTTP1Client(.ip(host: http1.host, port: http1.port))
        #expect(try client.request(server.pushFields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
        let info = try server.ask("list", "-o", "json")
        #expect(info.output.contains("127.0.0.1:\(http1.port)"))
        try server.closeInput()
        #expect(server.wait() == 0)
    }

    @Test func `the ready file and descriptor hold what standard output says`() throws {
        let folder = try TemporaryFolder()
        let server = try ServeProcess("--ready-file", "ready.json", in: folder)
        let file = try String(contentsOfFile: folder.file("ready.json"), encoding: .utf8)
        #expect(file == server.readyText + "\n")
        #expect(server.facts.pid == server.process.processIdentifier)
        #expect(server.facts.keyFile == folder.file("certs/AuthKey_MOCK000001.p8"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".new") } == [])

        // The shell lends descriptor 3.
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        let flags = "--ephemeral --ready-fd 3 --ready off --max-lifetime 1ms -q"
        shell.arguments = ["-c", "exec '\(Program.url.path)' serve \(flags) 3>ready-fd.json"]
        shell.currentDirectoryURL = URL(filePath: folder.path)
        shell.standardInput = Pipe()
        try shell.run()
        shell.waitUntilExit()
        let lent = try Data(contentsOf: URL(filePath: folder.file("ready-fd.json")))
        #expect(try JSONDecoder().decode(ServeProcess.Facts.self, from: lent).keyId == "MOCK000001")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends the server politely`(_ signal: Int32) throws {
        let server = try ServeProcess("--exit-on-stdin-close")
        #expect(try server.send("--to", TestServer.randomDevice()).exitCode == 0)
        server.signal(signal)
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("1 accepted, 0 refused, 0 faulted, 0 broken"))
        #expect(server.rest.isEmpty)
    }

    @Test func `a second signal ends it at once`() throws {
        let server = try ServeProcess()
        let peer = try FramePeer(server.address, server.options)
        // A request that is never finished keeps the server from ending by itself.
        let fields = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/ab"), (":authority", "localhost"),
        ]
        try peer.send(.headers(fields, stream: 1), .ping())
        _ = try peer.next(.ping, acknowledgement: true)
        server.signal(SIGTERM)
        _ = try peer.next(.goAway)
        server.signal(SIGTERM)
        #expect(server.wait() == -SIGTERM)
    }

    @Test func `the end of standard input ends the server when that was asked for`() throws {
        let server = try ServeProcess("--exit-on-stdin-close")
        try server.closeInput()
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("standard input was closed"))

        // /dev/null cannot be waited for, and is at its end from the start.
        let run = try Program.run("serve", "--ephemeral")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("{\"apns\":"))
    }

    @Test func `the end of the parent process ends the server`() throws {
        let parent = Process()
        parent.executableURL = URL(filePath: "/bin/cat")
        let input = Pipe()
        parent.standardInput = input
        parent.standardOutput = FileHandle.nullDevice
        try parent.run()
        let server = try ServeProcess("--parent-pid", String(parent.processIdentifier))
        try input.fileHandleForWriting.close()
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("process \(parent.processIdentifier) has ended"))
    }

    @Test func `a lifetime ends the server`() throws {
        let server = try ServeProcess("--max-lifetime", "1ms")
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("--max-lifetime is over"))
    }

    @Test func `quiet means quiet`() throws {
        let server = try ServeProcess("-q")
        #expect(try server.send("--to", "ab").exitCode == 1)
        #expect(throws: (any Error).self) { try TestClient(server.address, .with { $0.trust = .nobody }) }
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        #expect(try server.errorText.isEmpty)
        #expect(server.rest.isEmpty)
    }

    @Test func `a port that is taken is named with its flag`() throws {
        let server = try ServeProcess()
        let folder = try TemporaryFolder()
        let apns = try Program.run(
            "serve", "--listen", "127.0.0.1:\(server.facts.apns.port)", "--admin-listen", "off", in: folder)
        #expect(apns.exitCode == 73)
        #expect(apns.errors.contains("--listen 127.0.0.1:\(server.facts.apns.port): "), "\(apns.errors)")
        #expect(apns.errors.contains("Address already in use"))
        #expect(apns.output.isEmpty)
        let address = try #require(server.admin.split(separator: "/").last)
        let admin = try Program.run("serve", "--listen", "127.0.0.1:0", "--admin-listen", String(address), in: folder)
        #expect(admin.exitCode == 73)
        #expect(admin.errors.contains("--admin-listen \(address): "), "\(admin.errors)")
    }

    @Test func `what cannot be created is named`() throws {
        let folder = try TemporaryFolder()
        _ = FileManager.default.createFile(atPath: folder.file("file"), contents: nil)
        let log = try Program.run("serve", "--ephemeral", "--log", "file/x.ndjson", in: folder)
        #expect(log.exitCode == 73)
        #expect(log.errors.contains("--log file/x.ndjson"), "\(log.errors)")
        let certs = try Program.run("serve", "--ephemeral", "--certs", "file", in: folder)
        #expect(certs.exitCode == 73)
        #expect(certs.errors.contains("--certs file"), "\(certs.errors)")
        let ready = try Program.run("serve", "--ephemeral", "--ready-file", "nowhere/ready.json", in: folder)
        #expect(ready.exitCode == 73)
        #expect(ready.errors.contains("--ready-file nowhere/ready.json"), "\(ready.errors)")
    }

    @Test func `an unfinished last line of the log is cut off, and said`() throws {
        let folder = try TemporaryFolder()
        let log = folder.file("inspection.ndjson")
        try "{\"seq\":1}\n{\"seq\":2,\"unfin".write(toFile: log, atomically: true, encoding: .utf8)
        let server = try ServeProcess(in: folder)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("its last 15 bytes were cut off"))
        #expect(try folder.lines(of: "inspection.ndjson") == ["{\"seq\":1}"])
    }

    @Test func `two servers may share a folder of certificates and start at once`() throws {
        let folder = try TemporaryFolder()
        let servers = (0..<3).map { _ in Program.process(["serve", "--ephemeral", "--log", "off"], in: folder) }
        for server in servers {
            server.standardOutput = FileHandle.nullDevice
            server.standardError = FileHandle.nullDevice
            try server.run()
        }
        for server in servers {
            server.waitUntilExit()
            #expect(server.terminationStatus == 0)
        }
    }
}
