import JSON

/// The rules about Live Activities.
extension PayloadExamination {
    /// The event has the keys without which it does nothing, and none that belong to another event.
    func examineLiveActivity(_ aps: JSONElement, _ seen: SeenKeys, _ findings: inout [Finding]) {
        guard seen.contains(.event), let member = document.member("event", of: aps) else {
            return adviseMissing(.event, "event, which says what happens to the Live Activity", &findings)
        }
        // What is no event was refused with its value.
        guard let place = document.place(ofText: member, in: tables.events) else { return }
        let event = LiveActivityEvent.allCases[place]
        if context.isBroadcast, event == .start {
            add(.broadcastStart, at: member, "A broadcast cannot start a Live Activity.", &findings)
        }
        for key in event.requiredKeys where !seen.contains(key) {
            adviseMissing(key, "\(key.row.name), which is needed to \(event.rawValue) a Live Activity", &findings)
        }
        if seen.hasEventKeys { adviseOtherEvents(aps, event, seen, &findings) }
    }

    private func adviseMissing(_ key: APSKey, _ what: String, _ findings: inout [Finding]) {
        add(.liveActivityKeyMissing, path: "aps.\(key.row.name)", "aps has no \(what).", &findings)
    }

    private func adviseOtherEvents(
        _ aps: JSONElement, _ event: LiveActivityEvent, _ seen: SeenKeys, _ findings: inout [Finding]
    ) {
        for key in APSKey.allCases where seen.contains(key) {
            guard let only = key.row.event, only != event, let member = document.member(key.row.name, of: aps) else {
                continue
            }
            add(
                .keyOfOtherEvent, at: member,
                "\(key.row.name) means something with the event \(only.rawValue); this one is \(event.rawValue).",
                &findings)
        }
    }
}

extension PayloadExamination.SeenKeys {
    /// Whether a key is there that belongs to one event only.
    fileprivate var hasEventKeys: Bool {
        contains(.dismissalDate) || contains(.attributes) || contains(.attributesType) || contains(.inputPushToken)
            || contains(.inputPushChannel)
    }
}
