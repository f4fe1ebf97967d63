/// The parameters that say which entries are meant, the same in lists, waits, verifications and deletions.
package enum FilterParameters {
    /// In the order of the reference.
    package static let all: [Parameter] = [
        Parameter(
            "kind", .pattern(takesCommas: false),
            "`device`, `broadcast` or `channels`: a push to a device, a broadcast, or a request that manages channels; the last only in /v1/requests.",
            example: "broadcast"),
        Parameter(
            "device", .pattern(takesCommas: false), "The device token in the path of the push.", example: "6f1e*"),
        Parameter(
            "topic", .pattern(takesCommas: false), "`apns-topic`; of broadcasts and channels the bundle id.",
            example: "com.acme.*"),
        Parameter("type", .pattern(takesCommas: false), "The push type, declared or inferred.", example: "alert"),
        Parameter("priority", .pattern(takesCommas: false), "`apns-priority`; 10 when absent.", example: "10"),
        Parameter("collapseId", .pattern(takesCommas: true), "`apns-collapse-id`.", example: "order-42"),
        Parameter(
            "channel", .pattern(takesCommas: true), "The channel of a broadcast or of its management.",
            example: "dHN0LXNyY2gtY2hubA=="),
        Parameter(
            "apnsId", .pattern(takesCommas: false), "The id of the push, as answered.",
            example: "EC1BF194-B3B2-424A-8912-1A2B3C4D5E6F"),
        Parameter(
            "env", .pattern(takesCommas: false), "`sandbox` or `production`: where the push went to.",
            example: "sandbox"),
        Parameter(
            "keyId", .pattern(takesCommas: false), "The key that signed the provider token.", example: "MOCK000001"),
        Parameter("teamId", .pattern(takesCommas: false), "The team of the provider token.", example: "MOCKTEAM01"),
        Parameter(
            "cert", .pattern(takesCommas: true), "The subject of the client certificate.", example: "*com.acme.app*"),
        Parameter("conn", .pattern(takesCommas: false), "The connection.", example: "c7"),
        Parameter("rule", .pattern(takesCommas: false), "The rule that touched the push.", example: "flaky-429"),
        Parameter(
            "finding", .pattern(takesCommas: false),
            "A finding, of the request or of the sender's conduct: its code, or `error` and `warning` for any of the severity.",
            example: "L004"),
        Parameter(
            "q", .search,
            "Words as one types them: texts of title, subtitle and body, or `key:value`; `!` before a word turns it round.",
            example: #"title:"your order" !is:rejected larger:3k"#),
        Parameter("since", .moment, "Received at this time or later.", example: "30s"),
        Parameter("until", .moment, "Received at this time or earlier.", example: "2026-01-15T09:30:00Z"),
        Parameter(
            "outcome", .pattern(takesCommas: false),
            "How it ended: `accepted`, `rejected`, `faulted` or `broken`, which is a connection that never became a request. Other than `accepted` only in /v1/requests.",
            example: "rejected"),
        Parameter(
            "status", .pattern(takesCommas: false), "The status of the answer; other than 200 only in /v1/requests.",
            example: "410"),
        Parameter(
            "reason", .pattern(takesCommas: false), "The reason of the refusal; only in /v1/requests.",
            example: "Unregistered"),
    ]
}
