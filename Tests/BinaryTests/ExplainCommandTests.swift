import Foundation
import TestSupport
import Testing

/// `explain`: payload files judged without a server.
struct ExplainCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for (name, text) in [
            ("good.json", #"{"aps":{"alert":"hi"}}"#), ("bad.json", #"{"aps":{"alert":"hi","badge":"1"}}"#),
            ("broken.json", "{\"aps\":{\n,}}"),
        ] {
            try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        }
    }

    private func explain(_ arguments: String..., input: String? = nil) throws -> Program.Run {
        try Program.run(arguments: ["explain"] + arguments, input: input, in: folder)
    }

    @Test func `a good file is exit code 0, with a table of its bytes`() throws {
        let run = try explain("--payload", "good.json")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("good.json  ok  alert (inferred), 22 of 4096 bytes\n"))
        #expect(run.output.contains("4074 left of 4096"))
        #expect(run.errors.isEmpty)
    }

    @Test func `one bad file of many is exit code 1`() throws {
        let run = try explain("--payload", "good.json", "bad.json", "broken.json")
        #expect(run.exitCode == 1)
        #expect(run.output.contains("bad.json  REFUSED 400 BadRequestPayload"))
        #expect(run.output.contains("\n  1:22    error    badge is the string \"1\""))
        #expect(run.output.contains("\n  2:1     error    not JSON: "))
        #expect(run.output.hasSuffix("3 files: 1 accepted, 2 refused; 2 errors, 0 warnings\n"))
        let quiet = try explain("-q", "good.json", "bad.json")
        #expect(quiet.output.hasPrefix("bad.json"))
        #expect(try explain("-q", "good.json", "good.json").output.isEmpty)
    }

    @Test func `a file that cannot be read is exit code 66, and the others are judged`() throws {
        let run = try explain("missing.json", "bad.json", "-o", "ndjson")
        #expect(run.exitCode == 66)
        #expect(run.errors.contains("missing.json: No such file"))
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains(#""verdict":"unreadable""#))
        #expect(lines[1].contains(#""verdict":"refused""#))
    }

    @Test func `standard input is read without a file and for a dash`() throws {
        let run = try explain("--type", "voip", input: "{}")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("(standard input)  ok  voip, 2 of 5120 bytes\n"))
        #expect(try explain("-", "good.json", input: "{}").exitCode == 1)
    }

    @Test func `JSON is one object for all files`() throws {
        let run = try explain("-o", "json", "good.json", "bad.json")
        #expect(run.exitCode == 1)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(
            (object["files"] as? [[String: Any]])?.compactMap { $0["verdict"] as? String } == ["accepted", "refused"])
        #expect((object["summary"] as? [String: Int])?["refused"] == 1)
        let empty = try explain("-o", "json", "-q", "good.json").output
        let none = try #require(try JSONSerialization.jsonObject(with: Data(empty.utf8)) as? [String: Any])
        #expect((none["files"] as? [Any])?.isEmpty == true)
    }

    @Test func `profiles, push types and tokens are as they are asked for`() throws {
        #expect(try explain("--profile", "live", "bad.json").exitCode == 0)
        #expect(try explain("--type", "background", "good.json").output.contains("background, 22"))
        #expect(try explain("--to", "ab", "good.json").output.contains("REFUSED 400 BadDeviceToken"))
        #expect(try explain("--topic", "com.acme.app.voip", "--type", "alert", "good.json").exitCode == 1)
        #expect(try explain("--broadcast", "good.json").output.contains("of 5120 bytes"))
    }

    @Test(arguments: [
        (["--type", "alrt"], "did you mean alert?"), (["--priority", "7"], "no priority"), (["-", "-"], "only once"),
        (["--profile", "harsh"], "strict"), (["--payload-limit", "0"], "from 1 to"),
    ])
    func `a mistake names the fix`(arguments: [String], words: String) throws {
        let run = try Program.run(arguments: ["explain"] + arguments)
        #expect(run.exitCode == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func `hundreds of files are judged by one call`() throws {
        var names: [String] = []
        for number in 0..<500 {
            let name = "many-\(number).json"
            let badge = number % 100 == 99 ? #""x""# : "\(number)"
            try #"{"aps":{"alert":{"title":"t","body":"b"},"badge":\#(badge)}}"#.write(
                toFile: folder.file(name), atomically: true, encoding: .utf8)
            names.append(name)
        }
        let run = try Program.run(arguments: ["explain", "-q"] + names, in: folder)
        #expect(run.exitCode == 1)
        #expect(run.output.hasSuffix("500 files: 495 accepted, 5 refused; 5 errors, 0 warnings\n"))
        #expect(run.output.split(separator: "\n").filter { $0.hasPrefix("many-") }.count == 5)
    }
}
