import Foundation
import Testing

/// A folder of its own for a test, gone with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "mock-apns-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(of name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: name)))
        return path(of: name)
    }

    func text(of name: String) throws -> String { try String(contentsOfFile: path(of: name), encoding: .utf8) }

    func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path(of: name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    func remove(_ names: String...) throws {
        for name in names { try FileManager.default.removeItem(atPath: path(of: name)) }
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
