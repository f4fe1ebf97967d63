/// What concerns the program around the server: how it reports readiness, when it ends by itself, what it prints.
package struct ProcessConfiguration: Sendable {
    /// How readiness is announced on standard output.
    package enum Ready: String, Sendable, CaseIterable {
        case line, json, off
    }

    /// How much is printed to standard error.
    package enum LogLevel: String, Sendable, CaseIterable {
        case error, warning, info, debug
    }

    /// The announcement on standard output.
    package var ready = Ready.line
    /// A file that gets the JSON form of the announcement, by rename.
    package var readyFile: String?
    /// An inherited descriptor that gets it and is closed.
    package var readyDescriptor: Int32?
    /// Whether the server ends when standard input does.
    package var exitsOnStandardInputClose = false
    /// The process whose end is the server's.
    package var parentProcess: Int32?
    /// Milliseconds after which the server ends by itself.
    package var maxLifetimeMilliseconds: Int64?
    /// Milliseconds without any use after which the server ends by itself.
    package var idleExitMilliseconds: Int64?
    /// Whether nothing but errors is printed.
    package var isQuiet = false
    /// How much is printed.
    package var logLevel = LogLevel.info
    /// Whether colours are never used.
    package var isColorless = false

    /// The defaults.
    package init() {}
}
