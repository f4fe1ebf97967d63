import APNs
import HTTP
import JSON

/// What comes for a Live Activity behind its end: L018.
struct ActivityTracker {
    /// The tokens whose Live Activity has ended.
    private var ended: Set<String> = []

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        let content = facts.content
        guard content.pushType == .liveactivity, content.outcome == .accepted else { return }
        var document = JSONDocument()
        guard document.parse(content.request.storage, in: content.request.bodyRange) == nil else { return }
        let event = document.element(at: "aps.event").flatMap { document.string($0) } ?? ""
        switch event {
        case "end": ended.insert(facts.device)
        case "start": ended.remove(facts.device)
        default:
            guard ended.contains(facts.device) else { return }
            remarks.append(
                .init(
                    code: .activityAfterEnd,
                    message: "An update came for a Live Activity that had ended: no phone shows it."))
        }
    }
}
