import EventLoop
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
    /// The size of a call from which on it is sent; the server takes a mebibyte, and no line is as long as what is left.
    private static let callBytes = 512 << 10

    private let client: AdminClient
    private let file: String
    private var body: [UInt8] = []
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
        while let line = try lines.next() {
            number += 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            body += body.isEmpty ? Array(#"{"entries":["#.utf8) : [UInt8(ascii: ",")]
            body += line
            numbers.append(number)
            if body.count >= Self.callBytes, let code = try send() { return code }
        }
        if !numbers.isEmpty, let code = try send() { return code }
        report()
        return .success
    }

    /// Sends what was collected; an exit code when the server does not take it.
    private mutating func send() throws -> ExitCode? {
        let response = try client.send(
            "/v1/import", method: "POST", accept: "application/json", body: body + Array("]}".utf8))
        guard response.status == 200 else {
            throw CommandFailure(try refusal(EntryList(response.body)), response.exitCode)
        }
        let answer = try EntryList(response.body)
        imported += answer.integer("imported") ?? 0
        skipped += answer.integer("skipped") ?? 0
        cursor = answer.integer("cursor") ?? cursor
        body.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        return nil
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
        let before = (numbers.first ?? 1) - 1
        return "\(place): \(words)"
            + (before > 0 ? " The \(before) lines before line \(before + 1) are in; importing again skips them." : "")
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
