import JSON

/// The rules about `aps`.
extension PayloadExamination {
    /// The keys seen in an object, by their places.
    struct SeenKeys {
        private var bits: UInt32 = 0

        mutating func insert(_ place: Int) { bits |= 1 &<< UInt32(truncatingIfNeeded: place) }

        /// The keys that say how an alert is shown.
        static let ofAlertsOnly: SeenKeys = {
            var keys = SeenKeys()
            for row in APSKey.allCases where row.row.isOfAlertsOnly { keys.insert(row.rawValue) }
            return keys
        }()

        func contains(anyOf keys: SeenKeys) -> Bool { bits & keys.bits != 0 }

        func contains(_ place: Int) -> Bool { bits & (1 &<< UInt32(truncatingIfNeeded: place)) != 0 }

        func contains(_ key: APSKey) -> Bool { contains(key.rawValue) }

        func contains(_ key: AlertKey) -> Bool { contains(key.rawValue) }
    }

    /// Looks at each member of `aps`, then at what they mean together.
    func examineAPS(_ aps: JSONElement, _ findings: inout [Finding], _ facts: inout PayloadFacts) {
        guard document.kind(aps) == .object else { return refuseAPS(aps, &findings) }
        var seen = SeenKeys()
        var showsAlert = false
        var sight = PayloadFacts.Sight()
        let type = PushTypeSet(context.pushType)
        var next = document.firstMember(of: aps, in: tables.aps)
        while let member = next {
            next = document.member(after: member, in: tables.aps)
            facts.note(member, in: document, &sight)
            guard let place = admit(member, in: .aps, &findings) else { continue }
            seen.insert(place)
            if place == APSKey.alert.rawValue {
                showsAlert = examineAlert(member.element, member.kind, &findings, &facts)
            } else if tables.apsTypes[place].contains(type) {
                examineValue(member.element, member.kind, tables.apsRules[place], &findings)
            } else {
                // What is not looked for may have any value.
                adviseOtherType(member.element, tables.apsTypes[place], &findings)
            }
        }
        facts.isSilent = sight.wakes && !sight.shows
        switch context.pushType {
        case .alert: examineVisible(aps, seen, showsAlert: showsAlert, &findings)
        case .background: examineBackground(aps, seen, &findings)
        case .liveactivity: examineLiveActivity(aps, seen, &findings)
        case .widgets, .controls: if !seen.contains(.contentChanged) { adviseUnchanged(&findings) }
        default: break
        }
        if context.topicFamily == .website { examineWebsite(aps, seen, &findings) }
    }

    /// `aps` is something else than an object; null is as good as absent where it is not needed.
    private func refuseAPS(_ aps: JSONElement, _ findings: inout [Finding]) {
        if document.kind(aps) == .null, !tables.typesWithAPS.contains(PushTypeSet(context.pushType)) {
            return adviseNull(aps, &findings)
        }
        let isText = document.string(aps)?.first == "{"
        refuse(aps, .apsNotObject, because: isText ? " itself, not JSON inside a string" : "", &findings)
    }

    /// The place of a member's key, when it is one of the table and has a value.
    func admit(_ member: JSONMember, in place: KeyPlace, _ findings: inout [Finding]) -> Int? {
        if member.place < 0 {
            adviseUnknown(member.element, in: place, &findings)
            return nil
        }
        if case .null = member.kind {
            adviseNull(member.element, &findings)
            return nil
        }
        return member.place
    }

    private func adviseNull(_ member: JSONElement, _ findings: inout [Finding]) {
        add(.nullValue, at: member, "\(label(member)) is null, which devices ignore or misread.", &findings)
    }

    private func adviseOtherType(_ member: JSONElement, _ types: PushTypeSet, _ findings: inout [Finding]) {
        let names = types.types.map(\.rawValue).joined(separator: " and ")
        add(
            .keyOfOtherType, at: member,
            "\(label(member)) means something in pushes of type \(names) only; this one is \(context.pushType.rawValue).",
            &findings)
    }

    /// Widgets and controls are reloaded because their content has changed.
    func adviseUnchanged(_ findings: inout [Finding]) {
        add(
            .contentNotChanged, path: "aps.content-changed",
            "A \(context.pushType.rawValue) push without content-changed reloads nothing.", &findings)
    }

    /// A Mac drops a website's push that lacks what Safari needs.
    private func examineWebsite(_ aps: JSONElement, _ seen: SeenKeys, _ findings: inout [Finding]) {
        if !seen.contains(.urlArguments) {
            add(
                .websiteArguments, path: "aps.url-args",
                "A push to a website has no url-args, and a Mac drops it.", &findings)
        }
        guard seen.contains(.alert), let alert = document.member("alert", of: aps) else { return }
        if document.kind(alert) == .string {
            add(
                .websiteAlert, at: alert, "\(described(alert)); a Mac drops a website's push whose alert is a string.",
                &findings)
        } else if document.kind(alert) == .object {
            for name in ["title", "body"] as [StaticString] where !document.hasText(name, of: alert) {
                add(
                    .websiteAlert, path: "aps.alert.\(name)",
                    "The alert has no text as \(name), and a Mac drops a website's push without it.", &findings)
            }
        }
    }

    /// An alert push should show, play or count something.
    private func examineVisible(_ aps: JSONElement, _ seen: SeenKeys, showsAlert: Bool, _ findings: inout [Finding]) {
        if !showsAlert {
            if !seen.contains(.badge), !seen.contains(APSKey.sound) {
                let wakes = seen.contains(.contentAvailable)
                add(
                    .nothingShown, path: document.path(to: aps), found: shown(aps),
                    wakes
                        ? "The push only wakes the app, but its type is alert; send it as background."
                        : "The push has no alert, badge or sound, so nothing happens on the device.", &findings)
            }
            if seen.contains(.mutableContent), let member = document.member("mutable-content", of: aps) {
                add(
                    .mutableWithoutAlert, at: member,
                    "There is no alert to change, so the device does not run the app's extension.", &findings)
            }
        }
    }

    /// A background push wakes the app, and the user notices nothing.
    private func examineBackground(_ aps: JSONElement, _ seen: SeenKeys, _ findings: inout [Finding]) {
        if seen.contains(.alert) || seen.contains(.badge) || seen.contains(APSKey.sound) {
            adviseVisible(aps, seen, &findings)
        }
        if seen.contains(anyOf: SeenKeys.ofAlertsOnly) { adviseAlertKeys(aps, seen, &findings) }
        if !seen.contains(.contentAvailable) {
            add(
                .backgroundNotWaking, path: "aps.content-available",
                "A background push without content-available does not wake the app.", &findings)
        }
    }

    /// Keys that say how an alert is shown say nothing where none is.
    private func adviseAlertKeys(_ aps: JSONElement, _ seen: SeenKeys, _ findings: inout [Finding]) {
        for key in APSKey.allCases where seen.contains(key) && SeenKeys.ofAlertsOnly.contains(key) {
            guard let member = document.member(key.row.name, of: aps) else { continue }
            add(
                .keyOfOtherType, at: member,
                "\(label(member)) means something where an alert is shown; a background push shows none.", &findings)
        }
    }

    private func adviseVisible(_ aps: JSONElement, _ seen: SeenKeys, _ findings: inout [Finding]) {
        for key in [APSKey.alert, .badge, .sound] where seen.contains(key) {
            guard let member = document.member(key.row.name, of: aps) else { continue }
            add(
                .backgroundVisible, at: member,
                "\(label(member)) stands in a background push, which the user must not notice.", &findings)
        }
    }
}
