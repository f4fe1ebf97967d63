import Server

/// What `exec` is told: how to serve, and how to judge what happened.
struct ExecSettings: Sendable {
    /// What makes `exec` exit with 1 although the program was content.
    enum Gate: String, Sendable, CaseIterable {
        /// A push was refused that no rule refused.
        case rejected
        /// A push has a finding of severity error.
        case errorFindings = "findings:error"
        /// A rule never fired.
        case unusedRules = "unused-rules"
    }

    var server = ExecSettings.standard
    var trustsSystemWide = false
    var gates: Set<Gate> = []

    /// Free loopback ports; nothing on standard output, which belongs to the program.
    private static var standard: Configuration {
        var configuration = Configuration.ephemeral
        configuration.process.ready = .off
        configuration.process.exitsOnStandardInputClose = false
        return configuration
    }

    /// The flags: those of `exec` itself, then those of `serve`.
    static var flags: [FlagGroup<ExecSettings>] {
        [own] + Configuration.flags.map { $0.inside(\ExecSettings.server) }
    }

    private static var own: FlagGroup<ExecSettings> {
        FlagGroup(
            "The program",
            [
                .toggle("trust", "also set SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and REQUESTS_CA_BUNDLE") {
                    $0.trustsSystemWide = $1
                }.withoutVariable,
                .list(
                    "fail-on", "WHAT",
                    "exit with 1 when a push was refused, but not by a rule (rejected), had such a finding"
                        + " (findings:error), or a rule never fired (unused-rules)"
                ) { (settings, values) throws(UsageError) in
                    settings.gates = []
                    for value in values.flatMap({ $0.split(separator: ",").map(String.init) }) {
                        settings.gates.insert(try FlagValue.choice(value))
                    }
                }.withoutVariable,
            ])
    }
}
