import JSON

/// The rules about `aps`.
extension PayloadExamination {
    /// The keys seen in an object, by their places.
    struct SeenKeys {
        private var bits: UInt32 = 0

        mutating func insert(_ place: Int) { bits |= 1 &<< UInt32(truncatingIfNeeded: place) }

        func contains(_ place: Int) -> Bool { bits & (1 &<< UInt32(truncatingIfNeeded: place)) != 0 }

        func contains(_ key: APSKey) -> Bool { contains(key.rawValue) }

        func contains(_ key: AlertKey) -> Bool { contains(key.rawValue) }
    }

    /// Looks at each member of `aps`, then at what they mean together.
    mutating func examineAPS(_ aps: JSONElement) {
        guard document.kind(aps) == .object else { return refuseAPS(aps) }
        var seen = SeenKeys()
        var showsAlert = false
        let type = PushTypeSet(context.pushType)
        var next = document.firstChild(of: aps)
        while let member = next {
            next = document.next(after: member)
            guard let place = document.place(ofName: member, in: APSKey.names) else {
                adviseUnknown(member, in: .aps)
                continue
            }
            if document.kind(member) == .null {
                adviseNull(member)
                continue
            }
            seen.insert(place)
            if place == APSKey.alert.rawValue {
                showsAlert = examineAlert(member)
            } else {
                examineValue(member, APSKey.rules[place])
            }
            if !APSKey.pushTypes[place].contains(type) { adviseOtherType(member, APSKey.rows[place].pushTypes) }
        }
        switch context.pushType {
        case .alert: examineVisible(aps, seen, showsAlert: showsAlert)
        case .background: examineBackground(aps, seen)
        case .liveactivity: examineLiveActivity(aps, seen)
        case .widgets where !seen.contains(.contentChanged):
            add(
                .contentNotChanged, path: "aps.content-changed",
                "A widgets push without content-changed reloads nothing.")
        default: break
        }
    }

    private mutating func refuseAPS(_ aps: JSONElement) {
        let isText = document.string(aps)?.first == "{"
        refuse(aps, .apsNotObject, because: isText ? " itself, not JSON inside a string" : "")
    }

    mutating func adviseNull(_ member: JSONElement) {
        add(.nullValue, at: member, "\(label(member)) is null, which devices ignore or misread.")
    }

    private mutating func adviseOtherType(_ member: JSONElement, _ types: PushTypeSet) {
        let names = types.types.map(\.rawValue).joined(separator: " and ")
        add(
            .keyOfOtherType, at: member,
            "\(label(member)) means something in pushes of type \(names) only; this one is \(context.pushType.rawValue)."
        )
    }

    /// An alert push should show, play or count something.
    private mutating func examineVisible(_ aps: JSONElement, _ seen: SeenKeys, showsAlert: Bool) {
        if !showsAlert {
            if !seen.contains(.badge), !seen.contains(APSKey.sound) {
                let wakes = seen.contains(.contentAvailable)
                add(
                    .nothingShown, path: document.path(to: aps), found: shown(aps),
                    wakes
                        ? "The push only wakes the app, but its type is alert; send it as background."
                        : "The push has no alert, badge or sound, so nothing happens on the device.")
            }
            if seen.contains(.mutableContent), let member = document.member("mutable-content", of: aps) {
                add(
                    .mutableWithoutAlert, at: member,
                    "There is no alert to change, so the device does not run the app's extension.")
            }
        }
    }

    /// A background push wakes the app, and the user notices nothing.
    private mutating func examineBackground(_ aps: JSONElement, _ seen: SeenKeys) {
        if seen.contains(.alert) || seen.contains(.badge) || seen.contains(APSKey.sound) { adviseVisible(aps, seen) }
        if !seen.contains(.contentAvailable) {
            add(
                .backgroundNotWaking, path: "aps.content-available",
                "A background push without content-available does not wake the app.")
        }
    }

    private mutating func adviseVisible(_ aps: JSONElement, _ seen: SeenKeys) {
        for key in [APSKey.alert, .badge, .sound] where seen.contains(key) {
            guard let member = document.member(key.row.name, of: aps) else { continue }
            add(
                .backgroundVisible, at: member,
                "\(label(member)) stands in a background push, which the user must not notice.")
        }
    }
}
