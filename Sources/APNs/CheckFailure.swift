/// A check that a request did not pass, with the numbers that explain it.
package struct CheckFailure: Sendable, Equatable {
    /// The check.
    package let check: Check
    /// What APNs answers when this is the first failure.
    package let reason: Reason
    /// What the check expects, for people: "0..3600 s".
    package let expected: String
    /// What the request had: "3664 s".
    package let actual: String
    /// One sentence that says what is wrong with this request.
    package var explanation: String
    /// For 410: milliseconds since 1970 when the token was found to be gone.
    package let timestamp: Int64?
    /// What to do, where more is known than the row of the reason says.
    package let fix: String?
    /// Whether the test brought it about, such as by revoking a key.
    package var isAskedFor = false

    /// What to do.
    package var remedy: String { fix ?? reason.row.fix.description }

    package init(
        _ check: Check, _ reason: Reason, expected: String, actual: String, explanation: String,
        timestamp: Int64? = nil, fix: String? = nil
    ) {
        self.check = check
        self.reason = reason
        self.expected = expected
        self.actual = actual
        self.explanation = explanation
        self.timestamp = timestamp
        self.fix = fix
    }
}

/// A failed check can end a step that yields a value otherwise.
extension CheckFailure: Error {}
