/// Several expectations at once.
enum VerifyResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .post, "/v1/verify", .notifications, "Several expectations at once: in order, nothing else, no refusals.",
            details: """
                With `wait` the call is answered the instant all expectations are met, or the instant one cannot be met \
                any more. Where something unexpected could still come (`exactly`, `noOthers`, `noRejections`, \
                `noFindings`), `settle` of quiet must follow; if nothing is expected to come at all, the quiet is the \
                whole `wait`. Without `ordered`, each expectation counts for itself, so one push may count for several; in \
                an ordered verification a push belongs to one: the present one while it needs more, else the next that \
                means it.

                A verification of entries that were evicted before it came never passes: it is answered 417 \
                `journal-truncated`.
                """,
            body: VerifyQuestion.members,
            answers: [
                AdminRoute.Answer(
                    200, "`{\"pass\": true, \"matched\": {\"start\": [\"n_…\"]}, …}`: the ids by name of expectation.")
            ] + ListAnswers.unmet,
            examples: [
                AdminRoute.Example(
                    "One push to the device and nothing else", "/v1/verify",
                    body: """
                        {"expect": [{"match": {"device": "6f1e*"}, "exactly": 1}], "noOthers": true, \
                        "noRejections": true, "wait": "5s"}
                        """),
                AdminRoute.Example(
                    "A Live Activity from start to end, as text for the output of a test", "/v1/verify",
                    accept: "text/plain",
                    body: """
                        {"ordered": true, "noFindings": ["L006"], "expect": [{"name": "start", \
                        "match": {"pushType": "liveactivity", "aps.event": "start"}, "exactly": 1}, {"name": "end", \
                        "match": {"aps.event": "end"}, "exactly": 1}]}
                        """, status: 417),
            ]
        ) { call throws(Problem) in .verify(try VerifyQuestion(call)) }
    ]
}
