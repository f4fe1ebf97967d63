import APNs

/// What a condition looks at.
enum MatchField: Sendable, Hashable {
    case kind, device, topic, collapseID, channel
    case pushType, priority, apnsID, environment, status, reason, outcome
    case keyID, teamID, certificate, connection, rule
    case receivedAt
    /// The whole body, its size, and its findings: the code and the severity of each.
    case body, payloadBytes, findings
    /// A value of the payload by its dotted path from the root.
    case payload(String)
    /// A header field by its name in lower case.
    case header(String)

    /// What the values of a field look like.
    enum Form: Sendable {
        /// Any text, exact or a glob.
        case text
        /// Any text, where the case of letters means nothing.
        case caselessText
        /// One of these words.
        case word([String])
        /// A whole number.
        case number

        /// Whether a value can be the empty text.
        var takesEmptyTexts: Bool {
            if case .text = self { true } else { false }
        }
    }

    /// Whether the case of letters means nothing in its values.
    var isCaseless: Bool {
        switch self {
        case .device, .apnsID, .header("apns-id"), .header("apns-request-id"): true
        default: false
        }
    }

    /// A name and what it stands for.
    struct Row: Sendable {
        let name: String
        let field: MatchField
        let form: Form
        /// The name of the same field in an entry's JSON, which is understood as well.
        var alias: String?
    }

    /// Every field but those of payload, headers and time, in the order of the documentation.
    static let table: [Row] = [
        Row(name: "kind", field: .kind, form: .word(RequestKind.allCases.map(\.rawValue))),
        Row(name: "device", field: .device, form: .caselessText),
        Row(name: "topic", field: .topic, form: .text),
        Row(name: "collapseId", field: .collapseID, form: .text),
        Row(name: "channel", field: .channel, form: .text),
        Row(name: "type", field: .pushType, form: .word(PushType.allCases.map(\.rawValue)), alias: "pushType"),
        Row(name: "priority", field: .priority, form: .number),
        Row(name: "apnsId", field: .apnsID, form: .caselessText),
        Row(
            name: "env", field: .environment, form: .word(Environment.allCases.map(\.rawValue)), alias: "environment"),
        Row(name: "status", field: .status, form: .number),
        Row(name: "reason", field: .reason, form: .word(Reason.allCases.map(\.word) + documentedReasons)),
        Row(name: "outcome", field: .outcome, form: .word(JournalEntry.Outcome.allCases.map(\.rawValue))),
        Row(name: "keyId", field: .keyID, form: .text),
        Row(name: "teamId", field: .teamID, form: .text),
        Row(name: "cert", field: .certificate, form: .text),
        Row(name: "conn", field: .connection, form: .text),
        Row(name: "rule", field: .rule, form: .text),
        Row(name: "finding", field: .findings, form: .word(findingWords)),
    ]

    /// What a finding can be asked by: its code, or its severity.
    private static var findingWords: [String] {
        FindingCode.all.map(\.code.description) + [Finding.Severity.error, .warning].map(\.rawValue)
    }

    /// The spellings in Apple's tables of the reasons that are spelt otherwise on the wire.
    private static var documentedReasons: [String] {
        Reason.allCases.map { $0.spelling(documented: true).description }.filter { Reason(wire: $0)?.word != $0 }
    }

    /// The fields that are given as times.
    static let times = ["since", "until"]

    /// Every name that is understood: what somebody who mistyped may have meant.
    static let spellings = table.map(\.name) + table.compactMap(\.alias) + times

    /// The row of this name.
    static func row(_ name: String) -> Row? {
        table.first { $0.name == name || $0.alias == name }
    }
}
