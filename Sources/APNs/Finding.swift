/// One remark about a request: what departs from Apple's contract or advice, where, and how to mend it.
package struct Finding: Sendable, Equatable {
    /// How grave a finding is.
    package enum Severity: String, Sendable {
        /// Contradicts the contract.
        case error
        /// Advice.
        case warning
    }

    /// The row of ``FindingCode`` that says what kind of remark this is.
    package let code: FindingCode
    /// The place in the payload as a dotted path, or the name of a header field; empty for the whole request.
    package let path: String
    /// What was found, shortened for people.
    package let found: String
    /// The sentence for people: what is wrong and what happens.
    package let message: String
    /// What to do, where more is known than the row of the code says.
    private let ownFix: String?

    /// What to do.
    package var fix: String { ownFix ?? code.fix.description }

    package init(_ code: FindingCode, path: String = "", found: String = "", message: String, fix: String? = nil) {
        self.code = code
        self.path = path
        self.found = found
        self.message = message
        ownFix = fix == code.fix.description ? nil : fix
    }
}
