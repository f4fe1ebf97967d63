import APNs
import JSON
import Simulation

/// A preview for terminals.
extension PreviewWriter {
    /// The preview in lines.
    var text: String {
        var lines = ["\(preview.app.name)  \(preview.app.bundleID)" + (level.map { "  \($0)" } ?? "")]
        for text in [preview.title, preview.subtitle, preview.body] {
            guard let text else { continue }
            let missing =
                text.isMissing ? "  (no translation; arguments: \(text.arguments.joined(separator: ", ")))" : ""
            lines += text.text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
            lines[lines.count - 1] += missing
        }
        if let caller = preview.caller { lines.append("  incoming call from \(caller)") }
        if let activity = preview.activity { lines += activityLines(activity) }
        lines.append(facts.joined(separator: ", "))
        if !preview.chips.isEmpty { lines.append(preview.chips.map { "[\($0.text)]" }.joined(separator: " ")) }
        lines += preview.links.map { "link \($0)" }
        lines.append(preview.reachesDevice ? preview.note : "")
        if let fate = preview.fate {
            lines.append(preview.isFaded || !preview.reachesDevice ? "not shown: \(fate)" : fate)
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private var level: String? {
        switch preview.level {
        case .active: nil
        case .passive: "PASSIVE"
        case .timeSensitive: "TIME SENSITIVE"
        case .critical: "CRITICAL"
        }
    }

    private var facts: [String] {
        var facts: [String] = []
        if let badge = preview.badge { facts.append(badge == 0 ? "badge cleared" : "badge \(badge)") }
        if preview.kind == .alert { facts.append(preview.sound.map { "sound \($0.name)" } ?? "no sound") }
        if let thread = preview.thread { facts.append("thread \(thread)") }
        if let id = preview.collapseID { facts.append("collapse id \(id)") }
        return facts
    }

    private func activityLines(_ activity: PreviewActivity) -> [String] {
        let name = activity.attributesType ?? "Live Activity"
        var lines = ["  \(name)  \(activity.event?.rawValue ?? "no event")  \(activity.updates) updates"]
        for row in activity.state {
            switch row.change {
            case .same: lines.append("    \(row.path)  \(row.value ?? "")")
            case .added: lines.append("  + \(row.path)  \(row.value ?? "")")
            case .changed: lines.append("  ~ \(row.path)  \(row.before ?? "") -> \(row.value ?? "")")
            case .removed: lines.append("  - \(row.path)  \(row.before ?? "")")
            }
        }
        if activity.isStale { lines.append("    stale") }
        if activity.isDismissed { lines.append("    dismissed") }
        return lines
    }
}
