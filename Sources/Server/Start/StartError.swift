/// Why the server cannot start, in words for people, with the program's exit code.
package struct StartError: Error, Sendable, CustomStringConvertible {
    /// The sentence: the value, what is wrong, the fix.
    package let description: String
    package let exitCode: ExitCode

    init(_ description: String, _ exitCode: ExitCode) {
        self.description = description
        self.exitCode = exitCode
    }
}
