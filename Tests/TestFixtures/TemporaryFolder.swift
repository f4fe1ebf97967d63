import Foundation

/// A folder of its own for one test; removed with this object.
package final class TemporaryFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Makes the folder.
    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "mock-apns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The lines of a file in it.
    package func lines(of name: String) throws -> [String] {
        try String(contentsOfFile: file(name), encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
