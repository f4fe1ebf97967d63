import JSON
import Server

/// The entries in an answer of the admin API.
struct EntryList {
    private let bytes: [UInt8]
    private var document = JSONDocument()

    /// Reads an answer: a list with `items`, or one entry.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        if let fault = document.parse(bytes, in: 0..<bytes.count) {
            throw CommandFailure("the server's answer is not JSON: \(fault.message)", .internalError)
        }
    }

    /// Each entry on a line of its own.
    var lines: String {
        let entries = document.member("items", of: document.root).map(document.children) ?? [document.root]
        return entries.map { String(decoding: bytes[document.range($0)], as: UTF8.self) + "\n" }.joined()
    }

    /// A number of the answer itself, such as `cursor`.
    func integer(_ name: StaticString) -> Int64? {
        document.member(name, of: document.root).flatMap(document.integer)
    }

    /// A text of the answer itself.
    func string(_ path: String) -> String? {
        document.element(at: path).flatMap(document.string)
    }
}
