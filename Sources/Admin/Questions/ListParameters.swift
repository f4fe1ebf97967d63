/// The parameters of lists besides the filters.
package enum ListParameters {
    /// Where a list begins.
    package static let after = Parameter(
        "after", .cursor, "Only what came after this cursor; `now` for what comes after this call.", example: "1042",
        standard: "0, everything held")

    /// Which members items have.
    package static let fields = Parameter(
        "fields", .members, "Only these members of each item.", example: "id,device,payload.aps.alert",
        standard: "all")

    /// How many items a list shows.
    package static let limit = Parameter(
        "limit", .integer(1...AdminLimits.page), "How many items at most; `matched` counts all of them.",
        example: "10", standard: "\(AdminLimits.pageDefault)")

    /// Which end of a list comes first.
    package static let order = Parameter(
        "order", .word(["asc", "desc"]), "`asc` begins with the oldest, `desc` with the newest.", example: "desc",
        standard: "asc")

    /// How much of a list is shown, and how.
    package static let page: [Parameter] = [limit, order, fields]

    /// How long a call waits.
    package static let wait = Parameter(
        "wait", .duration(maximum: AdminLimits.wait),
        "Block until the expectation is met, at most this long. Implies `count=1` when no number is given.",
        example: "5s")

    /// The least number of matches.
    package static let count = Parameter(
        "count", .integer(1...AdminLimits.count),
        "At least so many matches after `after`; answered the instant the last of them arrives.", example: "3")

    /// The exact number of matches.
    package static let exactly = Parameter(
        "exactly", .integer(0...AdminLimits.count),
        "So many matches and then `settle` of quiet; fails at once on one more. With 0: none for the whole `wait`.",
        example: "1")

    /// How long it must stay quiet.
    package static let settle = Parameter(
        "settle", .duration(maximum: AdminLimits.wait),
        "The quiet that `exactly` asks for behind the last match; only with `wait`.", example: "500ms",
        standard: DurationText.words(AdminLimits.settle))

    /// What a call expects.
    package static let expectation: [Parameter] = [wait, count, exactly, settle, onTimeout]

    /// What becomes of an expectation that runs out of time.
    package static let onTimeout = Parameter(
        "onTimeout", .word(["ok", "error"]),
        "`ok` answers 200 with `\"timedOut\": true` instead of 417 when the time runs out.", example: "ok",
        standard: "error")
}
