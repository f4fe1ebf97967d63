/// The answers that lists and waits have in common.
enum ListAnswers {
    /// Those of a list.
    static let all = [AdminRoute.Answer(200, "The list; with an expectation, what met it.")] + unmet

    /// Those of an expectation that was not met.
    static let unmet = [
        AdminRoute.Answer(410, "The journal was reset, or its namespace deleted, while the call waited.", .problem),
        AdminRoute.Answer(
            417, "The expectation was not met: near misses, what was seen, and the most likely reason.", .problem),
        AdminRoute.Answer(429, "Too many calls wait.", .problem),
        AdminRoute.Answer(503, "The server stopped while the call waited.", .problem),
    ]
}
