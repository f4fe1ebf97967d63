/// A command line or variable that cannot be understood, in words for people: the value, what was expected, the fix.
package struct UsageError: Error, Sendable, CustomStringConvertible {
    /// The sentence.
    package let description: String
    /// What the program exits with.
    package let exitCode: ExitCode

    /// A failure with its sentence.
    package init(_ description: String, exitCode: ExitCode = .usage) {
        self.description = description
        self.exitCode = exitCode
    }
}
