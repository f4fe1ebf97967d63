import Foundation
import TestSupport
import Testing

/// What needs no server: help, mistakes, exit codes.
struct CommandLineTests {
    private static let commands = [
        "serve", "ready", "send", "wait", "tail", "list", "last", "show", "cursor", "ca", "token", "explain", "config",
        "version", "help",
    ]

    @Test func `the version is one line`() throws {
        let run = try Program.run("version")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("mock-apns "))
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(try Program.run("--version").output == run.output)
    }

    @Test func `help lists every command`() throws {
        let run = try Program.run("--help")
        #expect(run.exitCode == 0)
        for command in Self.commands { #expect(run.output.contains("\n  \(command) ")) }
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: commands)
    func `each command explains itself, in two ways`(_ command: String) throws {
        let run = try Program.run(command, "--help")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("usage: mock-apns \(command)"))
        #expect(try Program.run("help", command).output == run.output)
    }

    @Test(arguments: [
        (["srve"], 64, "did you mean serve?"), (["help", "wiat"], 64, "did you mean wait?"),
        (["serve", "--lisen", ":0"], 64, "did you mean --listen?"), (["--thread", "2"], 64, "did you mean --threads?"),
        (["-n", "suite", "rules", "ls"], 64, "behind the command: mock-apns rules -n"),
        (["serve", "--threads"], 64, "--threads N"), (["serve", "--threads", "0"], 64, "from 1 to 64"),
        (["serve", "--listen", "nowhere"], 64, "HOST:PORT"), (["serve", "--profile", "strickt"], 64, "strict"),
        (["wait", "--count", "1", "--none"], 64, "exclude"), (["wait", "--where", "title=x"], 64, "payload.title"),
        (["wait", "--admin", "ftp://x"], 64, "http://HOST:PORT"), (["show"], 64, "usage: mock-apns show"),
        (["show", "a", "b"], 64, "\"b\" is one word too many"), (["send"], 64, "--to TOKEN"),
        (["serve", "--key", "missing.p8:ABC123DEFG:DEF123GHIJ"], 66, "missing.p8"),
        (["send", "--to", "ab", "--certs", "nothing"], 66, "nothing/AuthKey_MOCK000001.p8"),
        (["send", "--to", "ab", "--payload", "missing.json"], 66, "missing.json"),
    ])
    func `a mistake names the value and the fix`(_ arguments: [String], _ exitCode: Int32, _ words: String) throws {
        let run = try Program.run(arguments: arguments)
        #expect(run.exitCode == exitCode, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test func `output that cannot be written is a failure, a reader who has enough is none`() throws {
        let full = try Program.shell("version >/dev/full")
        #expect(full.exitCode == 74)
        #expect(full.errors.contains("mock-apns: standard output: "))
        #expect(try Program.shell("version >&-").exitCode == 74)
        let enough = try Program.shell("completions bash | exec 0<&-")
        #expect(enough.errors.isEmpty, "\(enough.errors)")
    }

    @Test func `a bad variable is a bad configuration, an unknown one a warning`() throws {
        let bad = try Program.run("serve", variables: ["MOCK_APNS_THREADS": "many"])
        #expect(bad.exitCode == 78)
        #expect(bad.errors.contains("MOCK_APNS_THREADS: \"many\""))
        let server = try ServeProcess(variables: ["MOCK_APNS_PROFIL": "live"])
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        #expect(try server.errorText.contains("MOCK_APNS_PROFIL has no meaning here"))
        #expect(try server.errorText.contains("did you mean MOCK_APNS_PROFILE?"))
    }

    @Test(arguments: [
        ["ready"], ["wait"], ["list"], ["last"], ["show", "n_1"], ["cursor"], ["ca"], ["tail"],
        ["ready", "--wait", "50ms"],
    ])
    func `without a server the exit code is 69`(_ arguments: [String]) throws {
        // Port 1 of loopback is nobody's.
        let run = try Program.run(arguments: arguments + ["--admin", "http://127.0.0.1:1"])
        #expect(run.exitCode == 69)
        #expect(run.errors.contains("no server answers at http://127.0.0.1:1"))
    }

    @Test func `device tokens need no server`() throws {
        let tokens = try Program.run("token", "-c", "3").output.split(separator: "\n")
        #expect(tokens.count == 3)
        #expect(Set(tokens).count == 3)
        for token in tokens { #expect(token.count == 64 && token.allSatisfy(\.isHexDigit)) }
    }

    @Test func `a closed pipe ends the output and not with a crash`() throws {
        let folder = try TemporaryFolder()
        let process = Program.process(["token", "-c", "100000"], in: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        try pipe.fileHandleForReading.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
    }
}
