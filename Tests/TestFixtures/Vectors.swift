package import Foundation

/// Reads the files that hold test data, `Tests/Vectors/…`.
package enum Vectors {
    /// Where the data lies.
    package static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors")

    /// The rows of a JSON file: `Vectors.load("payloads.json")`.
    package static func load<Row: Decodable>(_ name: String, as type: Row.Type = Row.self) throws -> Row {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try decoder.decode(Row.self, from: Data(contentsOf: directory.appending(path: name)))
    }

    /// The bytes of a file.
    package static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }

    /// The names of the files in a folder, sorted.
    package static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.appending(path: folder).path).sorted()
    }
}
