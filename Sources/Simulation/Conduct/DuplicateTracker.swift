import APNs
import HTTP

/// The same push under several ids: L012.
struct DuplicateTracker {
    /// Within how many milliseconds the same payload to the same device is the same push.
    static let window: Int64 = 60_000

    private struct Push {
        var id: UUIDText?
        var time: Int64
    }

    private struct Key: Hashable {
        let device: String
        let topic: String
        let body: UInt64
    }

    private var pushes: [Key: Push] = [:]

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        // Background pushes, Wallet updates and the like are the same each time. What was refused, or whose answer a rule
        // kept back, may be tried again; and what has a collapse id shows once.
        guard facts.content.outcome == .accepted, facts.content.pushType == .alert, facts.content.rule == nil,
            facts.content.collapseID == nil, !facts.topic.hasPrefix("pass."), !facts.content.request.bodyRange.isEmpty
        else { return }
        let key = Key(device: facts.device, topic: facts.topic, body: facts.body)
        let id = facts.content.apnsID
        if let before = pushes[key], before.id != id, facts.time - before.time < Self.window {
            remarks.append(
                .init(
                    code: .sameUnderOtherID,
                    message:
                        "The same alert went to the same device \((facts.time - before.time) / 1000) s before, under "
                        + "the apns-id \(before.id?.description ?? "none"): it is shown twice."))
        }
        pushes[key] = Push(id: id, time: facts.time)
    }
}
