import Admin
import EventLoop
import JSON
import Server

/// `import`: entries of an export, or of an inspection log, into a running server.
enum ImportCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
    }

    static let command = Command(
        "import", "FILE", "Puts the entries of an export or an inspection log into a running server's journal.",
        notes: """
            FILE holds one entry a line, as `export` and the log have them; - is standard input. Entries get new numbers and
            keep their ids; those whose ids are there already are skipped, so importing again changes nothing. Whatever namespace
            they were in, they come into the one that is named with -n.
            """,
        settings: Settings(), flags: [Settings.clientFlags], operands: 1...1
    ) { result in
        var importing = EntryImport(AdminClient(settings: result.settings.client), result.operands[0])
        return try importing.run()
    }
}

/// Sends the lines of a file in calls that the server takes.
private struct EntryImport {
    /// The size of a call from which on it is sent.
    private static let callBytes = 512 << 10
    /// What stands before and behind the lines of a call.
    private static let (head, end) = (Array(#"{"entries":["#.utf8), Array("]}".utf8))
    /// How long a line may be: as long as a call that holds nothing else.
    private static let lineLimit = AdminLimits.bodyBytes - head.count - end.count

    private let client: AdminClient
    private let file: String
    private var body: [UInt8] = []
    private var document = JSONDocument()
    /// The numbers of the lines in the body.
    private var numbers: [Int] = []
    private var imported: Int64 = 0
    private var skipped: Int64 = 0
    private var cursor: Int64 = 0

    init(_ client: AdminClient, _ file: String) {
        self.client = client
        self.file = file
    }

    mutating func run() throws -> ExitCode {
        var lines = try TextFile.Lines(file)
        var number = 0
        while let line = try next(&lines, number + 1) {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            try check(line, number)
            if !numbers.isEmpty, body.count + 1 + line.count + Self.end.count > AdminLimits.bodyBytes { try send() }
            body += body.isEmpty ? Self.head : [UInt8(ascii: ",")]
            body += line
            numbers.append(number)
            if body.count >= Self.callBytes { try send() }
        }
        if !numbers.isEmpty { try send() }
        report()
        return .success
    }

    private func next(_ lines: inout TextFile.Lines, _ number: Int) throws -> [UInt8]? {
        do throws(TextFile.Failure) {
            return try lines.next()
        } catch {
            guard error.isTooLarge else { throw error }
            throw tooLong(number, "more than \(TextFile.Lines.lineLimit)")
        }
    }

    private func tooLong(_ number: Int, _ length: String) -> CommandFailure {
        CommandFailure(
            "\(file):\(number): the line has \(length) bytes; expected at most \(Self.lineLimit).\(before(number))",
            .badInput)
    }

    /// Looks at a line before it stands among others, where nobody could say which of them is broken.
    private mutating func check(_ line: [UInt8], _ number: Int) throws {
        guard line.count <= Self.lineLimit else { throw tooLong(number, "\(line.count)") }
        if let fault = document.parse(line) {
            throw CommandFailure(
                "\(file):\(number):\(fault.column): it is not JSON: \(fault.message).\(before(number))", .badInput)
        }
    }

    /// What to say of the lines before, of which those are in that were sent.
    private func before(_ number: Int) -> String {
        let first = numbers.first ?? number
        return first > 1 ? " The \(first - 1) lines before line \(first) are in; importing again skips them." : ""
    }

    /// Sends what was collected.
    private mutating func send() throws {
        let response = try client.send(
            "/v1/import", method: "POST", accept: "application/json", body: body + Self.end)
        guard response.status == 200 else {
            throw CommandFailure(try refusal(EntryList(response.body)), response.exitCode)
        }
        let answer = try EntryList(response.body)
        imported += answer.integer("imported") ?? 0
        skipped += answer.integer("skipped") ?? 0
        cursor = answer.integer("cursor") ?? cursor
        body.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }

    /// The server's words, with the line of the file in the place of the place in the call.
    private func refusal(_ problem: EntryList) -> String {
        var words = problem.string("detail") ?? "the server does not take it"
        var line: Int?
        let mark = "$.entries["
        if words.hasPrefix(mark), let index = Int(words.dropFirst(mark.count).prefix { $0 != "]" }),
            numbers.indices.contains(index)
        {
            line = numbers[index]
            words = String(words.dropFirst(mark.count).drop { $0 != "]" }.dropFirst())
            words = String(words.drop { $0 == "." || $0 == ":" || $0 == " " })
        }
        let place = line.map { "\(file):\($0)" } ?? "\(file), lines \(numbers.first ?? 1) to \(numbers.last ?? 1)"
        return "\(place): \(words)" + before(1)
    }

    private func report() {
        guard !client.settings.isQuiet else { return }
        if client.settings.output == .text {
            let there = skipped > 0 ? ", \(skipped) there already" : ""
            StandardStream.output.write("\(imported) imported\(there)\n")
        } else {
            StandardStream.output.write(#"{"imported":\#(imported),"skipped":\#(skipped),"cursor":\#(cursor)}"# + "\n")
        }
    }
}
