/// Prints to standard error, one line a message, and never waits for who reads it; any thread.
package final class Reporter: Sendable {
    private let level: ProcessConfiguration.LogLevel?
    private let usesColor: Bool

    /// A reporter as the flags want it; colours only on a terminal.
    package init(_ configuration: ProcessConfiguration, usesColor: Bool) {
        level = configuration.isQuiet ? .error : configuration.logLevel
        self.usesColor = usesColor && !configuration.isColorless
    }

    private init() {
        level = nil
        usesColor = false
    }

    /// Prints nothing, for servers inside tests.
    package static let silent = Reporter()

    /// Whether messages of this level are printed.
    package func prints(_ wanted: ProcessConfiguration.LogLevel) -> Bool {
        level.map { wanted.weight <= $0.weight } ?? false
    }

    /// Something that keeps the server from its work.
    package func error(_ text: @autoclosure () -> String) { print(.error, text) }
    /// Something that a person should look at.
    package func warning(_ text: @autoclosure () -> String) { print(.warning, text) }
    /// What happens.
    package func info(_ text: @autoclosure () -> String) { print(.info, text) }
    /// What helps to find a fault.
    package func debug(_ text: @autoclosure () -> String) { print(.debug, text) }

    private func print(_ level: ProcessConfiguration.LogLevel, _ text: () -> String) {
        guard prints(level) else { return }
        let (mark, start, end) =
            switch level {
            case .error: ("error: ", "\u{1b}[31m", "\u{1b}[0m")
            case .warning: ("warning: ", "\u{1b}[33m", "\u{1b}[0m")
            case .info, .debug: ("", "", "")
            }
        let line = usesColor && !mark.isEmpty ? "\(start)\(mark)\(end)\(text())\n" : "\(mark)\(text())\n"
        BackgroundWriter.error.write(line)
    }
}

extension ProcessConfiguration.LogLevel {
    fileprivate var weight: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }
}
