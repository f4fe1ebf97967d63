import Server

/// `serve`: the server itself.
enum ServeCommand {
    static let command = Command(
        "serve", "[flags]", "Runs the server until SIGTERM or SIGINT.",
        notes: """
            Every flag has an environment variable: MOCK_APNS_ and the flag in capitals, - as _ (MOCK_APNS_ADMIN_LISTEN).
            A flag beats its variable. Flags that may be repeated take commas in the environment.
            """,
        settings: Configuration(), flags: Configuration.flags, configuration: \Configuration.self
    ) { result in
        let process = result.settings.process
        DescriptorLimit.raise()
        let reporter = Reporter(process, usesColor: StandardStream.error.isTerminal && !ProcessEnvironment.isColorless)
        for warning in result.warnings { reporter.warning(warning) }
        return try ServeLoop(result.settings, reporter).run()
    }
}
