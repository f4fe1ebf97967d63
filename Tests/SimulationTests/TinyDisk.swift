import Foundation

/// A file system of 64 KiB that can be full; only root on Linux can make one.
final class TinyDisk {
    static let size = 64 << 10

    let path: String

    /// Whether this machine lets the tests make one.
    static let isAvailable = (try? TinyDisk()) != nil

    init() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.path
        try Self.run(["mount", "-t", "tmpfs", "-o", "size=\(Self.size)", "none", path])
    }

    deinit {
        try? Self.run(["umount", path])
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
