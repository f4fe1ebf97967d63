import Foundation
import Testing

/// Other programs that judge what we made.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether the program is on the search path.
    static func exists(_ program: String) -> Bool {
        (try? run("sh", "-c", "command -v \(program)")) != nil
    }

    /// Runs a program of the search path; the answer is what it says, errors included. Throws when it fails.
    @discardableResult
    static func run(_ program: String, _ arguments: String...) throws -> String {
        try run(program, arguments: arguments)
    }

    @discardableResult
    static func run(_ program: String, arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) \(arguments) ended with \(process.terminationStatus): \(text)")
        }
        return text
    }
}
