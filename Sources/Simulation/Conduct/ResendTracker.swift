import APNs

/// What a sender does after a refusal: L004, L005, L011.
struct ResendTracker {
    /// The shortest pause after 429 and 503, in milliseconds, that is one.
    static let pause: Int64 = 1000

    private struct Refusal {
        var status: UInt16
        var reason: String
        var token: UInt64?
        var seqTime: Int64
        /// When the sender could know of it.
        var knownAt: Int64
        var serverTime: Int64
    }

    /// The last answer to a request, by what makes requests the same.
    private var answers: [UInt64: Refusal] = [:]
    /// When the sender could know that a device and topic were answered 410.
    private var gone: [String: Int64] = [:]
    /// The last 429 of a device, and the last 503 of a request.
    private var throttled: [String: Refusal] = [:]

    /// The statuses that answer the same request the same way again.
    private static let permanent: Set<UInt16> = [400, 404, 405, 413]

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        let place = "\(facts.device) \(facts.topic)"
        if let before = answers[facts.request], facts.time > before.knownAt { seeSame(before, facts, &remarks) }
        if let knownAt = gone[place], facts.time > knownAt {
            remarks.append(
                .init(
                    code: .sentAfterGone,
                    message: "A push to \(facts.device) was sent though an earlier one was answered 410."))
        }
        if let before = throttled[facts.device] ?? throttled["\(facts.request)"], facts.time > before.knownAt,
            max(facts.time - before.seqTime, facts.content.serverTime - before.serverTime) < Self.pause
        {
            remarks.append(
                .init(
                    code: .noBackOff,
                    message: "The next try came \(max(0, facts.time - before.seqTime)) ms after \(before.status) "
                        + "\(before.reason)."))
        }
        remember(facts, place)
    }

    private func seeSame(_ before: Refusal, _ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        let isSameToken = before.status == 403 && before.token == facts.token
        guard Self.permanent.contains(before.status) || isSameToken else { return }
        remarks.append(
            .init(
                code: .resentUnchanged,
                message: "The request was sent again unchanged after \(before.status) \(before.reason)."))
    }

    private mutating func remember(_ facts: ConductFacts, _ place: String) {
        let content = facts.content
        let refusal = Refusal(
            status: content.status, reason: content.reason?.spelling().description ?? "", token: facts.token,
            seqTime: facts.time, knownAt: facts.answeredAt, serverTime: facts.content.serverTime)
        answers[facts.request] = content.status >= 400 ? refusal : nil
        // 429 is about the device; 503 is about the request, and of one server that goes down another takes over.
        throttled[facts.device] = content.reason == .tooManyRequests ? refusal : nil
        throttled["\(facts.request)"] = content.reason == .serviceUnavailable ? refusal : nil
        if content.status == 410 {
            gone[place] = facts.answeredAt
        } else if content.outcome == .accepted {
            // The app has registered again.
            gone[place] = nil
        }
    }
}
