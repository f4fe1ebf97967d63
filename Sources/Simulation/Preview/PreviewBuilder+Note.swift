import APNs

/// What the device does with a push, in a sentence or two.
extension PreviewBuilder {
    var note: String {
        switch preview.kind {
        case .alert: alertNote
        case .badge: badgeNote
        case .silent: "Silent push. Nothing is shown; the app may get about 30 s in the background."
        case .call: "A VoIP push. The app must report an incoming call at once, and the system shows its call sheet."
        case .activity: activityNote
        case .system: "\(push.pushType?.row.meaning.description ?? "") Nothing is shown by the push itself."
        case .nothing:
            payload == nil
                ? "The device cannot read the payload, and shows nothing."
                : "Nothing to show, to play or to wake: the device does nothing."
        case .request: ""
        }
    }

    private var alertNote: String {
        if PayloadRules.TopicFamily(Array(push.topic.utf8).span) == .website, let payload {
            return websiteNote(payload)
        }
        return switch preview.level {
        case .passive: "Put into Notification Center; the screen stays dark, and nothing sounds."
        case .active: "Shown on the lock screen, which lights up."
        case .timeSensitive: "Shown at once, through Focus and the scheduled summary."
        case .critical: "Shown at once and heard even when the device is muted."
        }
    }

    /// A Mac drops a website's push that lacks what Safari needs.
    private func websiteNote(_ payload: InboxPayload) -> String {
        var missing: [String] = []
        if !payload.has("url-args") { missing.append("url-args") }
        if payload.text("alert") != nil {
            missing.append("an alert that is an object of title and body")
        } else {
            if payload.alert.title == nil { missing.append("a title") }
            if payload.alert.body == nil { missing.append("a body") }
        }
        if missing.isEmpty { return "Shown by Safari on a Mac." }
        return "A Mac drops it: a website's push needs " + missing.joined(separator: " and ") + "."
    }

    private var badgeNote: String {
        var parts: [String] = []
        if let badge = preview.badge { parts.append(badge == 0 ? "the icon's badge goes" : "the icon shows \(badge)") }
        if let sound = preview.sound { parts.append("the sound \(sound.name) plays") }
        return "Nothing to read: " + parts.joined(separator: ", ") + "."
    }

    private var activityNote: String {
        switch preview.activity?.event {
        case .start: "Starts a Live Activity on the lock screen and in the Dynamic Island."
        case .update: "Updates a Live Activity in place."
        case .end: "Ends a Live Activity; its last content stays until it is dismissed."
        case nil: "A push to a Live Activity without an event; the device does nothing with it."
        }
    }
}
