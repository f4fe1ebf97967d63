import Foundation
import TestSupport
import Testing

/// `exec`: a server for the time that a program runs.
struct ExecTests {
    private func exec(
        _ flags: [String] = [], _ words: String..., variables: [String: String] = [:]
    ) throws -> Program.Run {
        try Program.run(arguments: ["exec", "--log", "off"] + flags + ["--"] + words, variables: variables)
    }

    /// The shell's way to the program under test, which must not be looked for in PATH.
    private var program: String { Program.url.path }

    @Test(arguments: [0, 1, 7, 255] as [Int32])
    func `it exits as the program did`(code: Int32) throws {
        #expect(try exec([], "sh", "-c", "exit \(code)").exitCode == code)
    }

    @Test func `a program that a signal killed is 128 and the signal`() throws {
        let run = try exec([], "sh", "-c", "kill -9 $$")
        #expect(run.exitCode == 137 && !run.wasKilled)
    }

    @Test func `no such program is 127, one that cannot run 126, no server 125, no program 64`() throws {
        #expect(try exec([], "no-such-program-anywhere").exitCode == 127)
        #expect(try exec([], "/etc/passwd").exitCode == 126)
        #expect(try exec(["--certs", "/dev/null/certs"], "true").exitCode == 125)
        #expect(try Program.run("exec", "--log", "off").exitCode == 64)
    }

    @Test func `the program finds the server, and pushes through it`() throws {
        let run = try exec(
            [], "sh", "-c",
            "'\(program)' ready && '\(program)' send --to $('\(program)' token) -q && '\(program)' last -o json")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.output.contains(#""outcome":"accepted""#))
        #expect(run.errors.contains("1 accepted, 0 refused"))
    }

    @Test func `standard output belongs to the program`() throws {
        #expect(try exec([], "echo", "hello").output == "hello\n")
    }

    @Test func `what is exported is there, and trust is set when asked for`() throws {
        let script = """
            for name in URL HOST PORT H2C_URL HTTP1_URL PROXY ADMIN KEY_ID TEAM_ID; do
              eval "value=\\$MOCK_APNS_$name"; [ -n "$value" ] || { echo "$name is empty"; exit 1; }
            done
            for name in CA_FILE CA_BUNDLE KEY_FILE CLIENT_CERT CLIENT_KEY CLIENT_P12; do
              eval "value=\\$MOCK_APNS_$name"; [ -s "$value" ] || { echo "$name: no file $value"; exit 1; }
            done
            echo "${SSL_CERT_FILE:-none}"
            """
        let plain = try exec([], "sh", "-c", script, variables: ["SSL_CERT_FILE": ""])
        #expect(plain.exitCode == 0 && plain.output == "none\n", "\(plain.output)")
        let trusting = try exec(["--trust"], "sh", "-c", script + "\n[ -s \"$NODE_EXTRA_CA_CERTS\" ] || exit 9")
        #expect(trusting.exitCode == 0 && trusting.output.hasSuffix("bundle.pem\n"), "\(trusting.output)")
    }

    @Test func `a gate turns a refusal into 1, and leaves another code alone`() throws {
        let refused = "'\(program)' send --to abc -q"
        #expect(try exec([], "sh", "-c", "\(refused); exit 0").exitCode == 0)
        let run = try exec(["--fail-on", "rejected"], "sh", "-c", "\(refused); exit 0")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("--fail-on rejected: 1 refused"))
        #expect(try exec(["--fail-on", "rejected"], "sh", "-c", "\(refused); exit 5").exitCode == 5)
        #expect(try exec(["--fail-on", "rejected"], "true").exitCode == 0)
        #expect(try exec(["--fail-on", "refused"], "true").exitCode == 64)
    }

    @Test func `a gate finds the rule that never fired`() throws {
        let added = "'\(program)' fail-next --reason Shutdown -q"
        let run = try exec(["--fail-on", "unused-rules"], "sh", "-c", added)
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("--fail-on unused-rules:"))
        let fired = "\(added); '\(program)' send --to $('\(program)' token) -q; exit 0"
        #expect(try exec(["--fail-on", "unused-rules"], "sh", "-c", fired).exitCode == 0)
    }

    @Test func `signals are handed on`() throws {
        let folder = try TemporaryFolder()
        let process = Program.process(
            [
                "exec", "--log", "off", "--", "sh", "-c",
                "trap 'exit 42' TERM; mkfifo never; echo ready; read x < never",
            ],
            in: folder)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Waits for the program's word; empty when it ended without one.
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n")
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 42)
    }

    @Test func `a life that is over ends the program`() throws {
        #expect(try exec(["--max-lifetime", "300ms"], "sh", "-c", "exec sleep 60").exitCode == 143)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions name every command and flag`(shell: String) throws {
        let text = try Program.run("completions", shell).output
        for word in ["serve", "exec", "wait", "namespace-ports", "fail-on"] { #expect(text.contains(word), "\(word)") }
    }

    @Test func `bash completes commands, words and flags`() throws {
        let folder = try TemporaryFolder()
        let script = folder.file("completion")
        try Program.run("completions", "bash").output.write(toFile: script, atomically: true, encoding: .utf8)
        func complete(_ words: String) throws -> [Substring] {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = [
                "-c",
                "source \(script); COMP_WORDS=(mock-apns \(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mock_apns; "
                    + "printf '%s\\n' \"${COMPREPLY[@]}\"",
            ]
            let output = try Capture(folder)
            process.standardOutput = output.handle
            try process.run()
            process.waitUntilExit()
            return try output.text.split(separator: "\n")
        }
        #expect(try complete("exe") == ["exec"])
        #expect(try complete("ns n") == ["new"])
        #expect(try complete("ns --verd") == ["--verdict"])
    }
}
