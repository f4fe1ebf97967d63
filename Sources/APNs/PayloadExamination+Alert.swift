import JSON

/// The rules about `alert` and its texts.
extension PayloadExamination {
    /// Looks at `alert`; says whether it shows a text.
    mutating func examineAlert(_ alert: JSONElement) -> Bool {
        switch document.kind(alert) {
        case .string: return document.range(alert).count > 2
        case .object: break
        default:
            refuse(alert, .alertForm)
            return true
        }
        var seen = SeenKeys()
        var next = document.firstChild(of: alert)
        while let member = next {
            next = document.next(after: member)
            guard let place = document.place(ofName: member, in: AlertKey.names) else {
                adviseUnknown(member, in: .alert)
                continue
            }
            if document.kind(member) == .null {
                adviseNull(member)
                continue
            }
            seen.insert(place)
            if place == AlertKey.sound.rawValue, !isLiveActivity {
                adviseMisplaced(member, to: "aps.sound")
            } else {
                examineValue(member, AlertKey.rules[place])
            }
        }
        examineArguments(.titleArguments, of: .titleKey, alert, seen)
        examineArguments(.subtitleArguments, of: .subtitleKey, alert, seen)
        examineArguments(.bodyArguments, of: .bodyKey, alert, seen)
        return seen.contains(.title) || seen.contains(.subtitle) || seen.contains(.body)
            || seen.contains(.titleKey) || seen.contains(.subtitleKey) || seen.contains(.bodyKey)
    }

    /// The arguments of a localised text go with its key.
    private mutating func examineArguments(
        _ arguments: AlertKey, of key: AlertKey, _ alert: JSONElement, _ seen: SeenKeys
    ) {
        guard seen.contains(arguments) || seen.contains(key) else { return }
        matchArguments(
            seen.contains(arguments) ? document.member(arguments.row.name, of: alert) : nil,
            key: seen.contains(key) ? document.member(key.row.name, of: alert) : nil, keyName: key.row.name)
    }

    /// As many arguments as the key has placeholders, when the key looks like a format (`"%@ has invited you"`).
    private mutating func matchArguments(_ arguments: JSONElement?, key: JSONElement?, keyName: StaticString) {
        guard let key else {
            guard let arguments else { return }
            return add(
                .localizationMismatch, at: arguments,
                "\(label(arguments)) has no \(keyName) whose text it could fill.")
        }
        guard document.hasByte(UInt8(ascii: "%"), inText: key), let format = document.string(key) else { return }
        let expected = LocalizedFormat.placeholders(in: format)
        let count = arguments.map { document.count(of: $0) } ?? 0
        guard expected != count, arguments.map({ document.kind($0) == .array }) ?? true else { return }
        add(
            .localizationMismatch, at: arguments ?? key,
            "\(keyName) has \(expected) placeholder\(expected == 1 ? "" : "s"), and there \(count == 1 ? "is" : "are")"
                + " \(count) argument\(count == 1 ? "" : "s").")
    }

    /// In a Live Activity, title and body may be objects of a key and its arguments.
    mutating func examineLocalizable(_ element: JSONElement) {
        if document.kind(element) == .string { return }
        guard isLiveActivity, document.kind(element) == .object else {
            return refuse(element, isLiveActivity ? .localizableText : .text)
        }
        let key = document.member("loc-key", of: element)
        let arguments = document.member("loc-args", of: element)
        for member in document.children(of: element) {
            if member == key {
                examineValue(member, .text)
            } else if member == arguments {
                examineValue(member, .localizationArguments)
            } else {
                adviseUnknown(member, in: .localizedText)
            }
        }
        if key == nil { refuse(element, .localizableText, because: ", and there is no loc-key") }
        matchArguments(arguments, key: key, keyName: "loc-key")
    }
}
