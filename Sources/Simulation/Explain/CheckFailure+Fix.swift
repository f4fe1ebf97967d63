import APNs

/// What to do about a failed check.
extension CheckFailure {
    /// About a payload that breaks the rules what the first grave finding says; else what the failure or its reason says.
    func fix(findings: some Sequence<Finding>) -> String {
        if check == .payload || check == .payloadKeys, let error = findings.first(where: { $0.code.severity == .error })
        {
            return error.code.fix.description
        }
        return fix ?? reason.row.fix.description
    }
}
