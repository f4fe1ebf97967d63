import CProcess
import Server
import Simulation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The program: finds the command and runs it.
enum Program {
    /// Runs the command line and ends the process with its exit code.
    static func main() -> Never {
        unblockSignals()
        let arguments = Array(arguments.dropFirst())
        var code = run(arguments, environment: ProcessEnvironment.all)
        if code == .success, let failure = StandardStream.outputFailure {
            code = report("standard output: \(failure)", .inputOutput)
        }
        end(code.rawValue)
    }

    /// Ends the process when its last words are written, or when nobody reads them for a moment.
    static func end(_ code: Int32) -> Never {
        BackgroundWriter.error.flush()
        exit(code)
    }

    /// The words of the command line, the program's own name first.
    private static var arguments: [String] {
        let known = CommandLine.arguments
        guard known.isEmpty, var next = unsafe c_process_arguments() else { return known }
        var words: [String] = []
        while let word = unsafe next.pointee {
            words.append(unsafe String(cString: word))
            unsafe next += 1
        }
        return words
    }

    /// A process started from a thread that blocks signals inherits that, as those of Swift's own test runner do: such a
    /// server could not be stopped politely.
    private static func unblockSignals() {
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe sigprocmask(SIG_SETMASK, &none, nil)
    }

    private static func run(_ arguments: [String], environment: [String: String]) -> ExitCode {
        _ = signal(SIGPIPE, SIG_IGN)  // A closed pipe is an error of write(), not the end of the process.
        do {
            let (command, rest) = try find(arguments)
            return try command.run(rest, environment)
        } catch let error as UsageError {
            return report(error.description, error.exitCode)
        } catch let error as StartError {
            return report(error.description, error.exitCode)
        } catch let error as CommandFailure {
            return report(error.description, error.exitCode)
        } catch let error as TextFile.Failure {
            return report(error.description, error.isMissing ? .inputMissing : .inputOutput)
        } catch {
            return report("\(error)", .internalError)
        }
    }

    /// The command that is meant, and its arguments. Without a command `serve` is meant.
    private static func find(_ arguments: [String]) throws(UsageError) -> (Command, [String]) {
        guard let first = arguments.first else { return (ServeCommand.command, []) }
        if first == "--help" || first == "-h" { return (HelpCommand.command, []) }
        if first == "--version" { return (VersionCommand.command, []) }
        if first.hasPrefix("-") {
            if let meant = commandBehind(first, arguments) {
                throw UsageError("flags stand behind the command: mock-apns \(meant) \(first) …")
            }
            return (ServeCommand.command, arguments)
        }
        if let command = Command.all.first(where: { $0.name == first }) {
            return (command, Array(arguments.dropFirst()))
        }
        let nearest = NearestName.of(first, among: Command.all.map(\.name)).map { "did you mean \($0)? " } ?? ""
        throw UsageError("unknown command \"\(first)\"; \(nearest)see mock-apns --help")
    }

    /// The command that follows a flag which `serve` does not have: `-n suite rules ls` was meant as `rules ls -n suite`.
    private static func commandBehind(_ flag: String, _ arguments: [String]) -> String? {
        let name = flag.prefix { $0 != "=" }
        let isOfServe = ServeCommand.command.flags.contains {
            name == "--\($0.name)" || $0.letter.map { name == "-\($0)" } == true
        }
        return isOfServe ? nil : arguments.first { word in Command.all.contains { $0.name == word } }
    }

    private static func report(_ text: String, _ code: ExitCode) -> ExitCode {
        BackgroundWriter.error.write("mock-apns: \(text)\n")
        return code
    }
}
