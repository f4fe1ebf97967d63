import APNs
import Server
import Simulation

/// What `exec` is told: how to serve, and how to judge what happened.
struct ExecSettings: Sendable {
    var server = ExecSettings.standard
    var trustsSystemWide = false
    /// What makes `exec` exit with 1 although the program was content.
    var gates: [Gate] = []
    /// The reasons whose refusals pass.
    var allowed: Set<Reason> = []

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
                .list("fail-on", "WHAT", GateFlags.failOnHelp) { (settings, values) throws(UsageError) in
                    settings.gates = try GateFlags.gates(values)
                }.withoutVariable,
                .list("allow", "REASON", GateFlags.allowHelp) { (settings, values) throws(UsageError) in
                    settings.allowed = try GateFlags.reasons(values)
                }.withoutVariable,
            ])
    }
}
