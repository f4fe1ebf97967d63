package import APNs

/// What makes a run fail although its tests passed: the one table behind `--fail-on`, `failOn` and `verdict=clean`.
package enum Gate: Sendable, Hashable {
    /// A push was refused that nobody asked to be refused.
    case rejected
    /// Something has a finding of this severity; advice counts what is worse, too.
    case findings(Finding.Severity)
    /// Something has a finding of this code.
    case finding(String)
    /// A rule never fired.
    case unusedRules

    /// A gate's word and what it objects to, for `--help` and the reference.
    package struct Row: Sendable {
        package let word: String
        package let meaning: String
    }

    /// Every gate.
    package static let table: [Row] = [
        Row(word: "rejected", meaning: "a push was refused that the test did not ask to be refused"),
        Row(word: "findings:error", meaning: "something has a finding of severity error"),
        Row(word: "findings:warning", meaning: "something has a finding, be it an error or advice"),
        Row(word: "findings:CODE", meaning: "something has this finding, such as findings:L004"),
        Row(word: "unused-rules", meaning: "a rule never fired"),
    ]

    /// The gates of `verdict=clean`.
    package static let clean: [Gate] = [.rejected, .findings(.error), .unusedRules]

    /// A word that is no gate, or no reason, in words for people.
    package struct Unknown: Error, Sendable {
        /// What is wrong and what was expected.
        package let message: String
        /// The known word that was probably meant.
        package let suggestion: String?
    }

    private static let prefix = "findings:"
    private static let codes = FindingCode.all.map(\.code.description)
    /// The words that stand behind `findings:`; they are understood without it as well.
    private static let severities: [(word: String, severity: Finding.Severity)] = [
        (Finding.Severity.error.rawValue, .error), (Finding.Severity.warning.rawValue, .warning),
    ]

    /// Reads a gate's word.
    package init(_ word: String) throws(Unknown) {
        let kind = word.hasPrefix(Self.prefix) ? String(word.dropFirst(Self.prefix.count)) : word
        if word == "rejected" {
            self = .rejected
        } else if word == "unused-rules" {
            self = .unusedRules
        } else if let row = Self.severities.first(where: { $0.word == kind }) {
            self = .findings(row.severity)
        } else if Self.codes.contains(kind) {
            self = .finding(kind)
        } else {
            let finding = NearestName.of(kind, among: Self.severities.map(\.word) + Self.codes).map { Self.prefix + $0 }
            let other = NearestName.of(word, among: ["rejected", "unused-rules"])
            let list = Self.table.map(\.word).joined(separator: ", ")
            throw Unknown(message: "\"\(word)\" is no gate; expected one of \(list)", suggestion: other ?? finding)
        }
    }

    /// The gate's word.
    package var word: String {
        switch self {
        case .rejected: "rejected"
        case .findings(let severity): Self.prefix + severity.rawValue
        case .finding(let code): Self.prefix + code
        case .unusedRules: "unused-rules"
        }
    }

    /// Whether the gate objects to a finding of this code.
    package func objects(to code: FindingCode) -> Bool {
        switch self {
        case .rejected, .unusedRules: false
        case .findings(.warning): true
        case .findings(.error): code.severity == .error
        case .finding(let word): code.code.description == word
        }
    }

    /// Whether the answer depends on what a sender did over time.
    package var asksForConduct: Bool { FindingCode.conductCodes.contains { objects(to: $0) } }

    /// Reads the reasons whose refusals pass, in the spelling of the wire or of Apple's tables.
    package static func reasons(_ words: [String]) throws(Unknown) -> Set<Reason> {
        var reasons: Set<Reason> = []
        for word in words {
            guard let reason = Reason(wire: word) else {
                let nearest = NearestName.of(word, among: Reason.allCases.map { $0.spelling().description })
                throw Unknown(
                    message: "\"\(word)\" is no reason; expected one such as Unregistered (GET /v1/reasons lists all)",
                    suggestion: nearest)
            }
            reasons.insert(reason)
        }
        return reasons
    }
}
