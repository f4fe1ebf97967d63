import Foundation
import TestSupport
import Testing

/// The built program, run as people and scripts run it.
enum Program {
    /// What a run left behind.
    struct Run {
        let exitCode: Int32
        /// Whether a signal ended it, of which `exitCode` is the number then.
        let wasKilled: Bool
        let output: String
        let errors: String
    }

    /// Where the program is: named by the environment, or beside the tests.
    static let url: URL = {
        if let path = ProcessInfo.processInfo.environment["MOCK_APNS_PROGRAM"] { return URL(filePath: path) }
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        // On macOS the tests lie deep in a bundle, and the tool that runs them somewhere else.
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder.appending(path: "mock-apns")
    }()

    /// A process that is not running yet, with an environment without our variables but those given.
    static func process(_ arguments: [String], _ variables: [String: String] = [:], in folder: TemporaryFolder)
        -> Process
    {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOCK_APNS_") }
            .merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: String..., variables: [String: String] = [:], in folder: TemporaryFolder? = nil
    ) throws -> Run {
        try run(arguments: arguments, variables: variables, in: folder)
    }

    /// Runs the program by a line of the shell: arguments, redirections, pipes.
    static func shell(_ line: String) throws -> Run {
        let folder = try TemporaryFolder()
        let process = process([], [:], in: folder)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "\"$0\" \(line)", url.path]
        let (output, errors) = (try Capture(folder), try Capture(folder))
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try process.run()
        process.waitUntilExit()
        return Run(
            exitCode: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: try output.text, errors: try errors.text)
    }

    /// Runs the program to its end; `input` is its standard input.
    static func run(
        arguments: [String], variables: [String: String] = [:], input: String? = nil, in folder: TemporaryFolder? = nil
    ) throws -> Run {
        let folder = try folder ?? TemporaryFolder()
        let process = process(arguments, variables, in: folder)
        let output = try Capture(folder)
        let errors = try Capture(folder)
        process.standardOutput = output.handle
        process.standardError = errors.handle
        if let input {
            let pipe = Pipe()
            process.standardInput = pipe
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        }
        try process.run()
        process.waitUntilExit()
        return Run(
            exitCode: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: try output.text, errors: try errors.text)
    }
}

/// A file that takes what a process prints; unlike a pipe it is never full.
struct Capture {
    private let path: String
    let handle: FileHandle

    init(_ folder: TemporaryFolder) throws {
        path = folder.file("capture-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        handle = try #require(FileHandle(forWritingAtPath: path))
    }

    var text: String {
        get throws { try String(contentsOfFile: path, encoding: .utf8) }
    }
}
