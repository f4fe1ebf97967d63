import Foundation
import TestSupport
import Testing

/// `export` and `import`: a journal carried from one server to another.
struct ImportCommandTests {
    @Test func `what one server exports another imports, and the log too`() throws {
        let device = TestServer.randomDevice()
        let first = try ServeProcess()
        #expect(try first.send("--to", device, "--title", "Carried", "--collapse-id", "c").exitCode == 0)
        #expect(try first.send("--to", "ab").exitCode == 1)
        #expect(try first.ask("export", "-O", "out.ndjson").exitCode == 0)
        let file = first.folder.file("out.ndjson")
        let id = try #require(try first.ask("last", "-o", "json").output.firstMatch(of: /"id":"(n_[^"]+)"/)?.1)

        let second = try ServeProcess()
        #expect(try second.send("--to", device).exitCode == 0)
        let imported = try second.ask("import", file)
        #expect(imported.exitCode == 0 && imported.output == "2 imported\n", "\(imported.output) \(imported.errors)")
        #expect(try second.ask("import", file).output == "0 imported, 2 there already\n")
        #expect(try second.ask("import", file, "-o", "json").output == #"{"imported":0,"skipped":2,"cursor":3}"# + "\n")
        let wait = try second.ask("wait", "--where", "aps.alert.title=Carried", "--exactly", "1")
        #expect(wait.exitCode == 0, "\(wait.errors)")
        #expect(try second.ask("show", String(id), "--raw").output.contains("apns-collapse-id: c"))

        // The log of the second holds all three, and gives them to a third, in a namespace of its own.
        let third = try ServeProcess()
        #expect(try third.ask("ns", "new", "suite").exitCode == 0)
        let log = second.folder.file("inspection.ndjson")
        #expect(try third.ask("import", log, "-n", "suite").output == "3 imported\n")
        #expect(try third.ask("list", "-n", "suite").output.contains("Carried"))
        #expect(try third.ask("list").output.isEmpty)
    }

    @Test func `a file that is large comes in several calls`() throws {
        let server = try ServeProcess("--log", "off")
        #expect(try server.send("--to", TestServer.randomDevice(), "--count", "1", "--title", "One").exitCode == 0)
        let line = try #require(try server.ask("export").output.split(separator: "\n").first)
        let own = try #require(line.firstMatch(of: /"id":"(n_[^"]+)"/)?.1)
        let text = (1...2000).map { line.replacing(own, with: "n_many_\($0)") + "\n\n" }.joined()
        #expect(text.utf8.count > 2 << 20)
        try text.write(toFile: server.folder.file("many.ndjson"), atomically: true, encoding: .utf8)
        #expect(try server.ask("import", "many.ndjson").output == "2000 imported\n")
        #expect(try server.ask("cursor").output == "2001\n")
    }

    @Test func `a line that is no entry is named, and what came before is in`() throws {
        let server = try ServeProcess("--log", "off")
        #expect(try server.send("--to", TestServer.randomDevice()).exitCode == 0)
        let line = try #require(try server.ask("export").output.split(separator: "\n").first)
        func run(_ text: String) throws -> Program.Run {
            try text.write(toFile: server.folder.file("in.ndjson"), atomically: true, encoding: .utf8)
            return try server.ask("import", "in.ndjson")
        }
        let wrong = try run("\(line)\n\n\(line.replacing("\"accepted\"", with: "\"lost\""))\n")
        #expect(wrong.exitCode == 65)
        #expect(
            wrong.errors.contains("in.ndjson:3: outcome: found \"lost\"; expected one of accepted"), "\(wrong.errors)")
        let broken = try run("\(line)\nno JSON\n")
        #expect(broken.exitCode == 65)
        #expect(broken.errors.contains("in.ndjson:2:1: it is not JSON"), "\(broken.errors)")
        var many = Array(repeating: String(line), count: 3000)
        many[2500] = #"{"id": nonsense}"#
        let late = try run(many.joined(separator: "\n"))
        #expect(late.exitCode == 65)
        #expect(late.errors.contains("in.ndjson:2501:8: it is not JSON"), "\(late.errors)")
        #expect(late.errors.contains("are in; importing again skips them."), "\(late.errors)")
        for length in [1 << 20, 5 << 20] {
            let long = try run("\(line)\n{\"id\":\"\(String(repeating: "x", count: length))\"}\n")
            #expect(long.exitCode == 65)
            #expect(long.errors.contains("in.ndjson:2: the line has "), "\(long.errors)")
            #expect(long.errors.contains("bytes; expected at most 1048562."), "\(long.errors)")
        }
        #expect(try server.ask("import", "nowhere.ndjson").exitCode == 66)
        #expect(try server.ask("import").exitCode == 64)
        #expect(try server.ask("cursor").output == "1\n")
    }
}
