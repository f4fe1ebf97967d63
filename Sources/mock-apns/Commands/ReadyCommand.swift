import EventLoop
import Server

/// `ready`: whether the server is ready; for health checks and scripts.
enum ReadyCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var waitMilliseconds: Int64 = 0
    }

    /// How long to wait after a connection was refused: nothing tells that another process has bound a port.
    static let retryMilliseconds: Int64 = 25

    static let command = Command(
        "ready", "[--wait 30s]",
        "Exit code 0 when the server is ready, 69 when it is not; for HEALTHCHECK and scripts.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "Waiting",
                [
                    .value("wait", "DURATION", "how long the server may take to become ready") {
                        (settings, value) throws(UsageError) in
                        settings.waitMilliseconds = try FlagValue.milliseconds(value)
                    }.withoutVariable
                ]),
            Settings.clientFlags,
        ]
    ) { result in
        let settings = result.settings
        let deadline = ContinuousClock.now + .milliseconds(settings.waitMilliseconds)
        while true {
            do {
                let response = try AdminClient(settings: settings.client).send("/readyz", accept: "text/plain")
                if response.status == 200 { return .success }
                if ContinuousClock.now >= deadline {
                    throw CommandFailure("not ready: \(response.text)", .unreachable)
                }
            } catch let failure as CommandFailure {
                if ContinuousClock.now >= deadline || failure.exitCode != .unreachable { throw failure }
            }
            try pause()
        }
    }

    private static func pause() throws {
        let loop = try EventLoop()
        let timer = try loop.after(milliseconds: retryMilliseconds) { loop.stop() }
        loop.run()
        timer.cancel()
    }
}
