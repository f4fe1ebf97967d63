import Server

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `exec`: a server for the time that a program runs.
enum ExecCommand {
    static let command = Command(
        "exec", "[flags] -- PROGRAM [ARGUMENTS]",
        "Starts a server on free ports, runs a program beside it, and exits as the program did.",
        notes: """
            The program finds the server in MOCK_APNS_URL, _HOST, _PORT, _PROXY and _ADMIN, what to trust in _CA_FILE and
            _CA_BUNDLE (with the system's roots), and what to sign with in _KEY_FILE, _KEY_ID, _TEAM_ID, or _CLIENT_CERT and
            _CLIENT_KEY. Signals are handed on. Exit codes beside those of the program: 1 a gate of --fail-on objects, 125 the
            server cannot start, 126 the program cannot be run, 127 there is no such program, 128 and a number: a signal.
              mock-apns exec --trust --fail-on rejected -- go test ./...
            """,
        settings: ExecSettings(), flags: ExecSettings.flags, configuration: \ExecSettings.server
    ) { result in
        guard !result.rest.isEmpty else {
            throw UsageError("exec needs a program behind two dashes: mock-apns exec -- ./run-tests.sh")
        }
        let process = result.settings.server.process
        DescriptorLimit.raise()
        let reporter = Reporter(process, usesColor: StandardStream.error.isTerminal && !ProcessEnvironment.isColorless)
        for warning in result.warnings { reporter.warning(warning) }
        Program.end(try ExecLoop(result.settings, result.rest, ProcessEnvironment.all, reporter).run())
    }
}
