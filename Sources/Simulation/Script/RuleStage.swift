/// When a rule is asked.
package enum RuleStage: String, Sendable, CaseIterable {
    /// For every request, also for those that would be refused.
    case beforeValidation
    /// For requests that are valid, so that only these count.
    case afterValidation
    /// For connections.
    case connection
}
