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
        let body: UInt64
    }

    private var pushes: [Key: Push] = [:]

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        // What was refused may be tried again under any id.
        guard facts.content.outcome == .accepted, !facts.content.request.bodyRange.isEmpty else { return }
        let key = Key(device: facts.device, body: facts.body)
        let id = facts.content.apnsID
        if let before = pushes[key], before.id != id, facts.time - before.time < Self.window {
            remarks.append(
                .init(
                    code: .sameUnderOtherID,
                    message:
                        "The same payload went to the same device \((facts.time - before.time) / 1000) s before, under "
                        + "the apns-id \(before.id?.description ?? "none")."))
        }
        pushes[key] = Push(id: id, time: facts.time)
    }
}
