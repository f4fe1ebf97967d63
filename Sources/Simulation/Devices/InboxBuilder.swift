import APNs
import JSON

/// Puts an ``Inbox`` together, push by push.
struct InboxBuilder {
    /// What makes two pushes one notification.
    private struct CollapseKey: Hashable {
        var topic: String
        var collapseID: String
    }

    private var state = Device.State.active
    /// In the order of delivery; nil where a later one took the place.
    private var notifications: [Inbox.Notification?] = []
    private var places: [CollapseKey: Int] = [:]
    private var activities: [InboxActivity] = []
    /// The pushes that wait, one for each topic.
    private var waiting: [String: InboxPush] = [:]
    private var inbox = Inbox()

    init() {}

    // MARK: What happens

    /// A push was accepted.
    mutating func receive(_ push: InboxPush) {
        if push.entry.content.rare.isDiscarded { return drop(push, .discarded) }
        switch state {
        case .active: deliver(push, at: push.acceptedAt)
        case .offline: store(push)
        // Only a push that was under way when the state changed.
        case .unregistered: drop(push, .appRemoved)
        case .expired: drop(push, .tokenExpired)
        }
    }

    /// The device came into another state.
    mutating func apply(_ change: Device.Change) {
        state = change.state
        let pushes = waiting.values.sorted { $0.seq < $1.seq }
        switch change.state {
        case .offline: return
        case .active:
            for push in pushes {
                if push.storedUntil ?? 0 > change.at { deliver(push, at: change.at) } else { drop(push, .expired) }
            }
        case .expired:
            for push in pushes { drop(push, .tokenExpired) }
        case .unregistered:
            for push in pushes { drop(push, .appRemoved) }
            // What the app showed goes with it.
            notifications = []
            places = [:]
            activities = []
            inbox.badge = nil
        }
        waiting = [:]
    }

    /// What there is to see at a time.
    func inbox(now: Int64) -> Inbox {
        var inbox = inbox
        for push in waiting.values.sorted(by: { $0.seq < $1.seq }) {
            if let until = push.storedUntil, until > now {
                inbox.stored.append(Inbox.Stored(seq: push.seq, until: until))
            } else {
                inbox.dropped.append(Inbox.Dropped(seq: push.seq, cause: .expired))
            }
        }
        inbox.dropped.sort { $0.seq < $1.seq }
        inbox.activities = activities
        for index in inbox.activities.indices { inbox.activities[index].age(to: now) }
        let shown = notifications.compactMap { $0 }
        inbox.center = Self.threads(shown.suffix(Inbox.listLimit))
        inbox.isCut = inbox.isCut || shown.count > Inbox.listLimit
        inbox.isCut = Self.cut(&inbox.handled) || inbox.isCut
        inbox.isCut = Self.cut(&inbox.dropped) || inbox.isCut
        return inbox
    }

    private static func cut<Item>(_ list: inout [Item]) -> Bool {
        guard list.count > Inbox.listLimit else { return false }
        list.removeFirst(list.count - Inbox.listLimit)
        return true
    }

    private static func threads(_ notifications: some BidirectionalCollection<Inbox.Notification>) -> [Inbox.Thread] {
        var threads: [Inbox.Thread] = []
        var places: [[String?]: Int] = [:]
        for notification in notifications.reversed() {
            let key = [notification.topic, notification.thread]
            if let place = places[key] {
                threads[place].items.append(notification)
            } else {
                places[key] = threads.count
                threads.append(
                    Inbox.Thread(topic: notification.topic, thread: notification.thread, items: [notification]))
            }
        }
        return threads
    }

    // MARK: Storing

    /// APNs keeps one push for each device and topic, the latest, unless it is to be tried once.
    private mutating func store(_ push: InboxPush) {
        guard push.storedUntil != nil else { return drop(push, .notStored) }
        let topic = push.topic
        if let earlier = waiting.updateValue(push, forKey: topic) {
            if earlier.storedUntil ?? 0 <= push.acceptedAt {
                drop(earlier, .expired)
            } else if let id = push.collapseID, id == earlier.collapseID {
                drop(earlier, .collapsed(by: push.seq))
            } else {
                drop(earlier, .replaced(by: push.seq))
            }
        }
    }

    private mutating func drop(_ push: InboxPush, _ cause: InboxDropCause) {
        drop(push.seq, cause)
    }

    private mutating func drop(_ seq: UInt64, _ cause: InboxDropCause) {
        inbox.dropped.append(Inbox.Dropped(seq: seq, cause: cause))
    }

    // MARK: Delivery

    private mutating func deliver(_ push: InboxPush, at time: Int64) {
        let document = push.payload
        guard document.isValid else { return drop(push, .unreadable) }
        switch push.pushType {
        case .liveactivity: deliverActivity(push, InboxPayload(document), at: time)
        case .background: inbox.silentWakeups += 1
        case .alert, nil: deliverAlert(push, InboxPayload(document), at: time)
        case .complication, .controls, .fileprovider, .location, .mdm, .pushtotalk, .voip, .widgets:
            inbox.handled.append(Inbox.Handled(seq: push.seq, pushType: push.pushType ?? .alert))
        }
    }

    private mutating func deliverAlert(_ push: InboxPush, _ payload: InboxPayload, at time: Int64) {
        let alert = payload.alert
        if let badge = payload.badge { inbox.badge = badge }
        guard alert.hasText else {
            if payload.badge != nil || payload.sound != nil { return }
            if payload.wakes { inbox.silentWakeups += 1 } else { drop(push, .nothingToShow) }
            return
        }
        var notification = Inbox.Notification(
            seq: push.seq, topic: push.topic, thread: payload.text("thread-id"), collapseID: push.collapseID,
            title: alert.title, subtitle: alert.subtitle, body: alert.body, category: payload.text("category"),
            sound: payload.sound, interruptionLevel: payload.text("interruption-level"), deliveredAt: time)
        if let id = push.collapseID {
            let key = CollapseKey(topic: notification.topic, collapseID: id)
            if let place = places[key], let earlier = notifications[place] {
                notification.replaces = earlier.replaces + 1
                drop(earlier.seq, .collapsed(by: push.seq))
                notifications[place] = nil
            }
            places[key] = notifications.count
        }
        notifications.append(notification)
    }

    private mutating func deliverActivity(_ push: InboxPush, _ payload: InboxPayload, at time: Int64) {
        guard let event = payload.activityEvent else { return drop(push, .unreadable) }
        let topic = push.topic
        for index in activities.indices { activities[index].age(to: time) }
        var place = activities.lastIndex { $0.topic == topic && $0.state == .active }
        if event == .start || (place == nil && !activities.contains { $0.topic == topic }) {
            var activity = InboxActivity(seq: push.seq, topic: topic, startedAt: time)
            activity.attributesType = payload.text("attributes-type")
            activity.attributes = payload.value("attributes")
            if activities.count == Inbox.listLimit {
                activities.removeFirst()
                inbox.isCut = true
            }
            place = activities.count
            activities.append(activity)
        }
        guard let place else { return drop(push, .activityEnded) }
        let timestamp = payload.number("timestamp")
        if let timestamp, let last = activities[place].timestamp, timestamp < last {
            return drop(push, .outdated(by: activities[place].lastSeq))
        }
        activities[place].timestamp = timestamp ?? activities[place].timestamp
        activities[place].lastSeq = push.seq
        activities[place].updatedAt = time
        activities[place].contentState = payload.value("content-state") ?? activities[place].contentState
        activities[place].staleAt = payload.milliseconds("stale-date")
        if event == .update { activities[place].updates += 1 }
        if payload.has("alert") { activities[place].alerts += 1 }
        if event == .end { activities[place].end(at: time, dismissal: payload.milliseconds("dismissal-date")) }
    }
}
