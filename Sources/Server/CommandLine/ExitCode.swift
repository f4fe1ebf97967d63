/// The exit codes of the program: sysexits where they exist, 1 for an expectation that was not met.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case expectationUnmet = 1
    case usage = 64
    case badInput = 65
    case inputMissing = 66
    case unreachable = 69
    case internalError = 70
    case cannotCreate = 73
    case inputOutput = 74
    case refused = 77
    case badConfiguration = 78

    /// What the code says, for `--help` and README.
    package var meaning: String {
        switch self {
        case .success: "done; the expectation was met"
        case .expectationUnmet: "the expectation was not met: a wait timed out, a push was refused"
        case .usage: "wrong usage: unknown command or flag, a flag's value that is missing or bad"
        case .badInput: "a value or a payload that cannot be understood"
        case .inputMissing: "a file that should be read is not there"
        case .unreachable: "no server answers at the given address"
        case .internalError: "a fault of mock-apns itself"
        case .cannotCreate: "cannot bind a port or create a file"
        case .inputOutput: "reading or writing failed"
        case .refused: "the server refused: admin token, foreign host"
        case .badConfiguration: "a variable or the configuration file has a value that the server cannot start with"
        }
    }
}
