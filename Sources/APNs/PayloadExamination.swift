import JSON

/// One payload looked at by the rules.
///
/// The first lines of each function are the path of a good payload, which compares bytes and numbers only; strings are
/// made where something is to be said.
struct PayloadExamination {
    let document: JSONDocument
    let context: PayloadRules.Context
    let tables = PayloadTables.shared

    init(_ document: JSONDocument, _ context: PayloadRules.Context) {
        self.document = document
        self.context = context
    }

    var isLiveActivity: Bool { context.pushType == .liveactivity }

    /// Applies all rules. What a phone would show is noted on the way where the payload is an ordinary one; elsewhere `facts`
    /// stays as it is.
    func examine(_ findings: inout [Finding], _ facts: inout PayloadFacts) {
        examineRequest(&findings)
        if context.pushType == .mdm {
            examineDeviceManagement(&findings)
        } else if context.topicFamily == .pass {
            examineWallet(&findings)
        } else {
            facts = .noting
            examineRoot(&findings, &facts)
        }
        if context.pushType == .fileprovider { examineFileProvider(&findings) }
        if document.hasUnusualNumbers { examineNumbers(&findings) }
        if document.hasDuplicates {
            facts = PayloadFacts()
            examineDuplicates(&findings)
        }
    }

    // MARK: - Saying something

    /// Whether more may be said: a hostile payload has thousands of faults, and each costs time and memory.
    ///
    /// Advice ends at the limit, with a last word that says so; errors, which decide whether the payload is refused, go
    /// on to twice the limit.
    func mayAdd(_ code: FindingCode, _ findings: inout [Finding]) -> Bool {
        let limit = PayloadRules.maximumFindings
        if findings.count < limit { return true }
        if findings.count == limit {
            findings.append(Finding(.moreFindings, message: "There is more to say; only the first remarks are listed."))
        }
        switch code.severity {
        case .warning: return false
        case .error: return findings.count < 2 * limit
        }
    }

    /// Adds a finding about a place that is no value of the payload, or about none.
    func add(
        _ code: FindingCode, path: String, found: String = "", _ message: @autoclosure () -> String,
        _ findings: inout [Finding]
    ) {
        guard mayAdd(code, &findings) else { return }
        findings.append(Finding(code, path: path, found: found, message: message()))
    }

    /// Adds a finding about a value.
    func add(
        _ code: FindingCode, at element: JSONElement, _ message: @autoclosure () -> String, _ findings: inout [Finding]
    ) {
        guard mayAdd(code, &findings) else { return }
        findings.append(
            Finding(code, path: document.path(to: element), found: shown(element), message: message()))
    }

    /// Adds the finding that a value is not what its key needs.
    func refuse(_ element: JSONElement, _ code: FindingCode, because reason: String = "", _ findings: inout [Finding]) {
        let end = reason.hasSuffix("?") ? "" : "."
        add(code, at: element, "\(described(element)); it must be \(code.expected)\(reason)\(end)", &findings)
    }

    /// A member and its value in words: `badge is the string "5"`.
    func described(_ element: JSONElement) -> String {
        let text = shown(element)
        let value =
            switch document.kind(element) {
            case .object: "an object"
            case .array: "an array"
            case .string: "the string \(text)"
            case .number, .boolean, .null: text
            }
        return "\(label(element)) is \(value)"
    }

    /// What a value is called in a sentence: its name, or for an element of an array its place.
    func label(_ element: JSONElement) -> String {
        if let name = document.key(of: element) { return PayloadExamination.shortened(name) }
        guard let array = document.parent(of: element), let name = document.key(of: array) else { return "the value" }
        return "an element of \(PayloadExamination.shortened(name))"
    }

    /// The value as it is written, shortened for people.
    func shown(_ element: JSONElement) -> String { document.written(element, limit: PayloadExamination.shownBytes) }

    private static func shortened(_ name: String) -> String {
        name.utf8.count > shownBytes ? name.prefix(shownBytes) + "…" : name
    }

    /// How many bytes of a value or name are shown.
    static let shownBytes = 60
}
