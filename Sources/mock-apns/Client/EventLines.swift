/// The lines of an event stream, put together from pieces as they come.
struct EventLines {
    private var rest: [UInt8] = []

    /// What stands before an entry's own members.
    private static let entryTypes = ["notification", "rejected", "faulted", "broken"]

    /// Takes a piece; returns the entries that it completes, each with a line feed, without the type of their event.
    mutating func entries(_ piece: [UInt8]) -> String {
        rest += piece
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return "" }
        let lines = String(decoding: rest[...end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return lines.split(separator: "\n").compactMap(Self.entry).joined()
    }

    private static func entry(_ line: Substring) -> String? {
        for type in entryTypes {
            let begin = "{\"event\":\"\(type)\","
            if line.hasPrefix(begin) { return "{" + line.dropFirst(begin.count) + "\n" }
        }
        return nil
    }
}
