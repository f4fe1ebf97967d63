import JSON
import Server

/// `verify`: several expectations at once.
enum VerifyCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var expected: [ExpectationText] = []
        var forbidden: [ExpectationText] = []
        var scope: ExpectationText?
        var isOrdered = false
        var forbidsOthers = false
        var forbidsRejections = false
        var findings: [String] = []
        var after: String?
        var settle: String?
        var waitMilliseconds: Int64?
    }

    /// How long a verification waits for that was given by flags.
    private static let standardWait: Int64 = 5000
    /// The longest wait of the server.
    private static let longestWait: Int64 = 60_000

    static let command = Command(
        "verify", "FILE|- | --expect 'device=6f1e* exactly=1' [--never '...'] [--ordered] [--no-others]",
        "Verifies several expectations at once. Exit code 1 and the reasons when they are not met.",
        notes: """
            FILE holds the body of POST /v1/verify; flags given beside it win over its members. In --expect and --never,
            NAME=VALUE stand with blanks between them: the filters' names, aps.alert.title and the like, and count=N or
            exactly=N; quotes hold a value with blanks together.
            """,
        settings: Settings(), flags: [expectationFlags, timeFlags, Settings.clientFlags], operands: 0...1
    ) { result in
        let settings = result.settings
        let body = try body(settings, file: result.operands.first)
        let wait = settings.waitMilliseconds ?? (result.operands.isEmpty ? standardWait : longestWait)
        let client = AdminClient(settings: settings.client)
        let response = try client.send(
            "/v1/verify", method: "POST", accept: client.accept, body: body, waitMilliseconds: wait)
        try client.printBody(of: response)
        return response.exitCode
    }

    private static var expectationFlags: FlagGroup<Settings> {
        FlagGroup(
            "What",
            [
                .list(
                    "expect", "CONDITIONS", "pushes that must arrive: at least one, unless count or exactly says more"
                ) {
                    (settings, values) throws(UsageError) in
                    settings.expected = try values.map { value throws(UsageError) in try ExpectationText(value) }
                }.withoutVariable,
                .list("never", "CONDITIONS", "pushes that must not arrive") {
                    (settings, values) throws(UsageError) in
                    settings.forbidden = try values.map { value throws(UsageError) in try ExpectationText(value) }
                }.withoutVariable,
                .toggle("ordered", "the expectations must be met one after the other; other pushes may come between") {
                    $0.isOrdered = $1
                }
                .withoutVariable,
                .toggle("no-others", "no accepted push that nobody expects") { $0.forbidsOthers = $1 }
                    .withoutVariable,
                .toggle("no-rejections", "no refused request that nobody expects") { $0.forbidsRejections = $1 }
                    .withoutVariable,
                .list(
                    "no-finding", "CODE", "no entry with a finding of this code, or of a severity: error or warning"
                ) { $0.findings = $1 }.withoutVariable,
                .value("scope", "CONDITIONS", "look only at entries of which this holds") {
                    (settings, value) throws(UsageError) in settings.scope = try ExpectationText(value)
                }.withoutVariable,
            ])
    }

    private static var timeFlags: FlagGroup<Settings> {
        FlagGroup(
            "When",
            [
                .value("after", "CURSOR", "only what came after this cursor; `now` for what comes from now on") {
                    $0.after = $1
                }.withoutVariable,
                .value("for", "DURATION", default: "5s", "how long to wait at most; 0 judges at once") {
                    (settings, value) throws(UsageError) in
                    settings.waitMilliseconds = try FlagValue.milliseconds(value)
                }.withoutVariable,
                .value("settle", "DURATION", default: "200ms", "how long it must stay quiet after the last match") {
                    $0.settle = $1
                }.withoutVariable,
            ])
    }

    /// The members of the file that no flag replaces, and what the flags say.
    private static func body(_ settings: Settings, file: String?) throws -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        try writeFlags(settings, isAlone: file == nil, to: &writer)
        if let file {
            try copyMembers(of: try TextFile.read(file), named: file, except: replaced(settings), to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// The members that flags speak about.
    private static func replaced(_ settings: Settings) -> Set<String> {
        let members: [(String, Bool)] = [
            ("expect", !settings.expected.isEmpty || !settings.forbidden.isEmpty), ("ordered", settings.isOrdered),
            ("noOthers", settings.forbidsOthers), ("noRejections", settings.forbidsRejections),
            ("noFindings", !settings.findings.isEmpty), ("scope", settings.scope != nil),
            ("after", settings.after != nil), ("wait", settings.waitMilliseconds != nil),
            ("settle", settings.settle != nil),
        ]
        return Set(members.filter(\.1).map(\.0))
    }

    private static func writeFlags(_ settings: Settings, isAlone: Bool, to writer: inout JSONWriter) throws {
        let replaced = replaced(settings)
        if replaced.contains("expect") {
            writer.key("expect")
            writer.beginArray()
            for expectation in settings.expected { try expectation.write(isForbidden: false, to: &writer) }
            for expectation in settings.forbidden { try expectation.write(isForbidden: true, to: &writer) }
            writer.endArray()
        }
        for name in ["ordered", "noOthers", "noRejections"] where replaced.contains(name) {
            writer.key(dynamic: name)
            writer.boolean(true)
        }
        if !settings.findings.isEmpty {
            writer.key("noFindings")
            writer.beginArray()
            for code in settings.findings { writer.string(code) }
            writer.endArray()
        }
        if let scope = settings.scope {
            writer.key("scope")
            scope.writeMatcher(to: &writer)
        }
        if let after = settings.after {
            writer.key("after")
            writer.string(after)
        }
        if let wait = settings.waitMilliseconds ?? (isAlone ? standardWait : nil) {
            writer.key("wait")
            writer.integer(wait)
        }
        if let settle = settings.settle {
            writer.key("settle")
            writer.string(settle)
        }
    }

    private static func copyMembers(
        of bytes: [UInt8], named file: String, except names: Set<String>, to writer: inout JSONWriter
    ) throws {
        var document = JSONDocument()
        if let fault = document.parse(bytes, in: bytes.indices) {
            throw CommandFailure("\(file):\(fault.line):\(fault.column): \(fault.message)", .badInput)
        }
        guard document.kind(document.root) == .object else {
            throw CommandFailure("\(file) holds a JSON \(document.kind(document.root)); expected an object", .badInput)
        }
        for member in document.children(of: document.root) {
            guard let name = document.key(of: member), !names.contains(name) else { continue }
            writer.key(dynamic: name)
            writer.raw(bytes[document.range(member)])
        }
    }
}
