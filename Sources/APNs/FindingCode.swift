/// Every kind of finding, one row each: stable code, severity, what is expected, the fix, the source page.
package struct FindingCode: Sendable, Equatable {
    /// The stable code, such as `L006` or `P012`.
    package let code: StaticString
    package let severity: Finding.Severity
    /// What the contract expects.
    package let expected: StaticString
    /// What to do.
    package let fix: StaticString
    /// The page that says so.
    package let source: StaticString

    package init(
        _ code: StaticString, _ severity: Finding.Severity, expected: StaticString, fix: StaticString,
        source: StaticString
    ) {
        self.code = code
        self.severity = severity
        self.expected = expected
        self.fix = fix
        self.source = source
    }

    package static func == (left: FindingCode, right: FindingCode) -> Bool {
        left.code.description == right.code.description
    }
}
