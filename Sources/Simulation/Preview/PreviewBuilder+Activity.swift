import APNs
import JSON

/// Live Activities: the content state beside the one before.
extension PreviewBuilder {
    mutating func readActivity() {
        guard let payload else { return }
        var activity = PreviewActivity()
        activity.event = payload.activityEvent
        activity.attributesType = payload.text("attributes-type")
        activity.attributes = StateDifference.rows(payload.value("attributes"), before: nil)
        activity.staleAt = payload.milliseconds("stale-date")
        activity.dismissedAt = payload.milliseconds("dismissal-date")
        let state = payload.value("content-state")
        var before: [UInt8]?
        if preview.reachesDevice, question.entry.content.kind == .device {
            let (earlier, after, _) = question.inboxes
            let topic = push.topic
            if activity.event != .start {
                let known = earlier.activities.last { $0.topic == topic && $0.state == .active }
                before = known?.contentState
                activity.attributesType = activity.attributesType ?? known?.attributesType
                if activity.attributes.isEmpty {
                    activity.attributes = StateDifference.rows(known?.attributes, before: nil)
                }
            }
            if let present = after.activities.last(where: { $0.topic == topic }) {
                activity.updates = present.updates
                activity.dismissedAt = present.dismissedAt ?? activity.dismissedAt
            }
        }
        activity.state = StateDifference.rows(state ?? before, before: before)
        if activity.event == .end, activity.dismissedAt == nil {
            activity.dismissedAt = push.acceptedAt + InboxActivity.longestRest
        }
        activity.isStale = activity.event != .end && activity.staleAt.map { $0 <= question.now } ?? false
        activity.isDismissed = activity.event == .end && activity.dismissedAt.map { $0 <= question.now } ?? false
        preview.activity = activity
    }
}

extension Preview {
    /// What a device shows because of an entry.
    package init(_ question: PreviewQuestion) {
        var builder = PreviewBuilder(question)
        self = builder.build()
    }
}
