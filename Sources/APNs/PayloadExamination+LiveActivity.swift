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
        for key in [APSKey.alert, .attributesType] where seen.contains(key) { adviseEmpty(key, aps, &findings) }
        if seen.hasEventKeys { adviseOtherEvents(aps, event, seen, &findings) }
    }

    private func adviseMissing(_ key: APSKey, _ what: String, _ findings: inout [Finding]) {
        add(.liveActivityKeyMissing, path: "aps.\(key.row.name)", "aps has no \(what).", &findings)
    }

    /// A key that is there with nothing in it does no more than one that is not.
    private func adviseEmpty(_ key: APSKey, _ aps: JSONElement, _ findings: inout [Finding]) {
        guard let member = document.member(key.row.name, of: aps) else { return }
        let isEmpty =
            switch document.kind(member) {
            case .string: document.isBlank(member)
            case .object: key == .alert && !document.children(of: member).contains { isReadable($0) }
            case .array, .number, .boolean, .null: false
            }
        guard isEmpty else { return }
        add(.emptyValue, at: member, "\(label(member)) is there, but there is nothing in it.", &findings)
    }

    /// Whether a member of an alert gives something to read or to hear.
    private func isReadable(_ member: JSONElement) -> Bool {
        document.kind(member) != .null && !document.isBlank(member)
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
