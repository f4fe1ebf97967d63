import Foundation
import TestSupport
import Testing

/// The configuration file: `serve --config`, `config check` and `config print`.
struct ConfigTests {
    private static let active = String(repeating: "6f1e", count: 16)
    private static let gone = String(repeating: "a07c", count: 16)
    private static let billed = String(repeating: "b111", count: 16)
    private static let text = """
        // Comments, names without quotes and trailing commas are good.
        { "$schema": "http://127.0.0.1:2198/schema/config.json",
          profile: "strict", seed: 7, unknownDevices: "reject",
          keys: [ { keyId: "ABC123DEFG", teamId: "DEF123GHIJ", file: "certs/AuthKey_MOCK000001.p8", topics: ["com.acme.*"] } ],
          devices: [ { token: "\(active)", topics: ["com.acme.app"] }, { token: "\(gone)", state: "unregistered", since: "-2d" } ],
          rules: [ { id: "busy", match: { collapseId: "busy" }, then: { reason: "TooManyRequests" } }, ],
          apps: { "com.acme.app": { name: "Acme", icon: "icon.png" } },  /* for the preview */
          namespaces: [ { name: "billing", topics: ["com.acme.billing*"], devices: [ { token: "\(billed)" } ] } ] }
        """

    /// A folder with this text as a file in it.
    private func folder(_ text: String, name: String = "config.json5") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        try Data([0x89, 0x50, 0x4E, 0x47]).write(to: URL(filePath: folder.file("icon.png")))
        return folder
    }

    @Test func `a preview shows the app as its file says`() throws {
        let text = #"{apps: {"com.acme.app": {name: "Acme Shop", icon: "icon.png", strings: "en.strings"}}}"#
        let folder = try folder(text)
        try #""SHIPPED" = "Order %@ shipped";"#.write(
            toFile: folder.file("en.strings"), atomically: true, encoding: .utf8)
        let server = try ServeProcess("--config", "config.json5", "--log", "off", in: folder)
        try #"{"aps":{"alert":{"loc-key":"SHIPPED","loc-args":["42"]}}}"#.write(
            toFile: folder.file("push.json"), atomically: true, encoding: .utf8)
        let sent = try Program.run(
            "send", "--url", server.facts.apns.url, "--to", Self.active, "--topic", "com.acme.app", "--payload",
            "push.json",
            in: folder)
        #expect(sent.output.hasPrefix("200"))
        let shown = try server.ask("show", "1", "--preview").output
        #expect(shown.hasPrefix("Acme Shop  com.acme.app\n  Order 42 shipped\n"), "\(shown)")
        #expect(
            try server.ask("show", "1", "--preview", "-o", "json").output.contains("data:image/png;base64,iVBORw=="))
    }

    @Test(arguments: [
        (#"{strings: "en.strings"}"#, "en.strings: No such file"), (#"{icon: "config.json5"}"#, "expected a PNG"),
        (#"{strings: "config.json5"}"#, "is no strings file: line 1"),
    ]) func `a file of an app that cannot be read is refused with its place`(_ app: String, _ message: String) throws {
        let folder = try folder(#"{apps: {"com.acme.app": \#(app)}}"#)
        let run = try Program.run("config", "check", "config.json5", in: folder)
        #expect(run.exitCode == 78)
        #expect(run.errors.contains("$.apps.com.acme.app: The file") && run.errors.contains(message), "\(run.errors)")
    }

    @Test func `a server begins with what its file says`() throws {
        let folder = try folder(Self.text)
        // It ends at once, since its standard input does, and leaves the folder of keys.
        #expect(try Program.run("serve", "--ephemeral", in: folder).exitCode == 0)
        let server = try ServeProcess("--config", "config.json5", in: folder)
        #expect(server.facts.seed == 7)
        let key = "certs/AuthKey_MOCK000001.p8:ABC123DEFG:DEF123GHIJ"
        let flags = ["send", "--url", server.facts.apns.url, "--key", key]
        func send(_ token: String, _ topic: String, _ more: String...) throws -> String {
            try Program.run(arguments: flags + ["--to", token, "--topic", topic] + more, in: folder).output
        }
        #expect(try send(Self.active, "com.acme.app").hasPrefix("200"))
        #expect(try send(Self.active, "com.acme.other").hasPrefix("400 DeviceTokenNotForTopic"))
        #expect(try send(Self.active, "org.other").hasPrefix("400 TopicDisallowed"))
        #expect(try send(Self.gone, "com.acme.app").hasPrefix("410 Unregistered"))
        #expect(try send(TestServer.randomDevice(), "com.acme.app").hasPrefix("400 BadDeviceToken"))
        #expect(try send(Self.active, "com.acme.app", "--collapse-id", "busy").hasPrefix("429 TooManyRequests"))
        #expect(try send(Self.billed, "com.acme.billing").hasPrefix("200"))
        #expect(try server.ask("list", "-n", "billing", "-o", "json").output.contains("com.acme.billing"))
    }

    @Test func `the standard file is read where it exists, and not with off`() throws {
        let folder = try folder(#"{seed: 7}"#, name: "mock-apns.json")
        #expect(try ServeProcess("--log", "off", in: folder).facts.seed == 7)
        #expect(try ServeProcess("--log", "off", "--seed", "8", in: folder).facts.seed == 8)
        #expect(try ServeProcess("--log", "off", variables: ["MOCK_APNS_SEED": "9"], in: folder).facts.seed == 9)
        #expect(try !Program.run("config", "print", "--config", "off", in: folder).output.contains("mock-apns.json:"))
    }

    @Test func `print shows what ephemeral means, and which flags beat it`() throws {
        let run = try Program.run("config", "print", "--ephemeral", "--admin-listen", "127.0.0.1:2300")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for row in [
            "--listen 127.0.0.1:0 --ephemeral", "--ready json --ephemeral", "--admin-listen 127.0.0.1:2300 flag",
        ] {
            #expect(rows.contains(row), "\(run.output)")
        }
    }

    @Test func `print shows each value and where it comes from`() throws {
        let folder = try folder(#"{profile: "live", seed: 7, unknownDevices: "reject"}"#)
        let run = try Program.run(
            arguments: ["config", "print", "--config", "config.json5", "--profile", "lenient"],
            variables: ["MOCK_APNS_SEED": "8", "MOCK_APNS_PROFILE": "strict", "MOCK_APNS_ADMIN_TOKEN": "secret"],
            in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
        let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for row in [
            "--profile lenient flag", "--seed 8 MOCK_APNS_SEED", "--unknown-devices reject file config.json5",
            "--unknown-keys reject default", "--admin-token (set) MOCK_APNS_ADMIN_TOKEN",
        ] {
            #expect(rows.contains(row), "\(run.output)")
        }
        #expect(!run.output.contains("secret"))
    }

    @Test(arguments: [
        (#"{profil: "live"}"#, #"$: "profil" is not a member of this body. Did you mean "profile"?"#),
        (#"{profile: "liv"}"#, #"Did you mean "live"?"#), (#"{seed: -1}"#, "holds -1"), ("[1]", "expected an object"),
        (#"{devices: [{token: "ab", topic: "x"}]}"#, #"$.devices[0]: "topic""#),
        (#"{rules: [{thn: {}}]}"#, "$.rules[0].thn"), (#"{keys: [{keyId: "ABC123DEFG", file: "no.p8"}]}"#, "no.p8"),
        (#"{namespaces: [{name: "a", devices: [{token: "abc"}]}]}"#, "$.namespaces[0].devices[0]: "),
        (#"{rules: [{id: "a", then: {accept: true}}, {id: "a", then: {accept: true}}]}"#, #""a" twice"#),
        (#"{namespaces: [{name: "a", topics: ["x.y"]}, {name: "b", topics: ["x.y"]}]}"#, "x.y"),
        ("{", "config.json5:1:2: no JSON: a member's name or } was expected after {"),
        (
            "{\n  seed: 7,\n  seed: 8\n}",
            #"config.json5:3:3: no JSON: the member "seed" stands twice in this object; it stands at line 2"#
        ),
        (
            "{\n  rules: [\n    {then: {accept: true}},\n    {id: \"b\",\n     then: {rason: \"Shutdown\"}} ] }",
            "config.json5:5: $.rules[1].then.rason"
        ),
    ])
    func `a mistake in the file names its place, and no server starts`(_ text: String, _ words: String) throws {
        let folder = try folder(text)
        for arguments in [["config", "check", "config.json5"], ["serve", "--ephemeral", "--config", "config.json5"]] {
            let run = try Program.run(arguments: arguments, in: folder)
            #expect(run.exitCode == 78)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test func `init writes a file that is good, and never over one that is there`() throws {
        let folder = try TemporaryFolder()
        let run = try Program.run("init", in: folder)
        #expect(run.exitCode == 0 && run.output.contains("mock-apns.json is written"), "\(run.errors)")
        let check = try Program.run("config", "check", "mock-apns.json", in: folder)
        #expect(check.exitCode == 0, "\(check.errors)")
        #expect(try ServeProcess("--log", "off", in: folder).facts.apns.port > 0)
        try "{seed: 5}".write(toFile: folder.file("mock-apns.json"), atomically: true, encoding: .utf8)
        let again = try Program.run("init", in: folder)
        #expect(again.exitCode == 73)
        #expect(again.errors.contains("mock-apns.json exists and stays as it is; --force"))
        #expect(try String(contentsOfFile: folder.file("mock-apns.json"), encoding: .utf8) == "{seed: 5}")
        #expect(try Program.run("init", "--force", in: folder).exitCode == 0)
        #expect(try !String(contentsOfFile: folder.file("mock-apns.json"), encoding: .utf8).contains("seed: 5"))
        try FileManager.default.removeItem(atPath: folder.file("mock-apns.json"))
        try FileManager.default.createDirectory(
            atPath: folder.file("mock-apns.json"), withIntermediateDirectories: false)
        #expect(try Program.run("init", "--force", in: folder).exitCode == 73)
    }

    @Test func `check counts what is in the file, and knows its words`() throws {
        let devices = #"[{token: "\#(Self.active)"}, {token: "\#(Self.gone)"}]"#
        let folder = try folder(#"{devices: \#(devices), namespaces: [{name: "a"}]}"#)
        let run = try Program.run("config", "check", "config.json5", in: folder)
        #expect(run.output == "config.json5 is good: 2 devices, 1 namespace\n", "\(run.errors)")
        let lost = try Program.run("config", "check", "missing.json", in: folder)
        #expect(lost.exitCode == 78)
        #expect(lost.errors == "mock-apns: missing.json: No such file or directory\n")
        let missing = try Program.run("serve", "--config", "missing.json", in: folder)
        #expect(missing.exitCode == 78 && missing.errors.contains("--config missing.json: No such"))
        #expect(try Program.run("config", "check").exitCode == 64)
        #expect(try Program.run("config", "chek").errors.contains("did you mean check?"))
    }
}
