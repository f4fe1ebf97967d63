import JSON

/// The rules about `alert` and its texts.
extension PayloadExamination {
    /// Looks at `alert`; says whether it shows a text.
    func examineAlert(
        _ alert: JSONElement, _ kind: JSONKind, _ findings: inout [Finding], _ facts: inout PayloadFacts
    ) -> Bool {
        switch kind {
        case .string:
            let first = document.firstByte(ofText: alert)
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { examineForPeople(alert, &findings) }
            return first != PayloadExamination.quotationMark
        case .object: break
        default:
            refuse(alert, .alertForm, &findings)
            return true
        }
        var seen = SeenKeys()
        var isShown = false
        var next = document.firstMember(of: alert, in: tables.alert)
        while let member = next {
            next = document.member(after: member, in: tables.alert)
            facts.noteAlert(member, in: document)
            guard let place = admit(member, in: .alert, &findings) else { continue }
            seen.insert(place)
            switch AlertKey(rawValue: place) {
            case .title, .subtitle, .body, .titleKey, .subtitleKey, .bodyKey:
                let first = document.firstByte(ofText: member.element)
                isShown = isShown || first != PayloadExamination.quotationMark
                if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                    examineForPeople(member.element, &findings)
                }
            default: break
            }
            if place == AlertKey.sound.rawValue, !isLiveActivity {
                adviseMisplaced(member.element, to: "aps.sound", &findings)
            } else {
                examineValue(member.element, member.kind, tables.alertRules[place], &findings)
            }
        }
        examineArguments(.titleArguments, of: .titleKey, alert, seen, &findings)
        examineArguments(.subtitleArguments, of: .subtitleKey, alert, seen, &findings)
        examineArguments(.bodyArguments, of: .bodyKey, alert, seen, &findings)
        return isShown
    }

    /// The first byte of an empty text is the mark that ends it.
    private static let quotationMark = UInt8(ascii: "\"")

    /// A text for people is not JSON, nor what a program makes of an object that it cannot write.
    private func examineForPeople(_ text: JSONElement, _ findings: inout [Finding]) {
        guard let kind = ObjectText(document.string(text) ?? "") else { return }
        add(
            .alertNotForPeople, at: text, "\(label(text)) is \(kind.words), which the device shows as it is.", &findings
        )
    }

    /// The arguments of a localised text go with its key.
    private func examineArguments(
        _ arguments: AlertKey, of key: AlertKey, _ alert: JSONElement, _ seen: SeenKeys, _ findings: inout [Finding]
    ) {
        guard seen.contains(arguments) || seen.contains(key) else { return }
        matchArguments(
            seen.contains(arguments) ? document.member(arguments.row.name, of: alert) : nil,
            key: seen.contains(key) ? document.member(key.row.name, of: alert) : nil, keyName: key.row.name, &findings)
    }

    /// As many arguments as the key has placeholders, when the key looks like a format (`"%@ has invited you"`).
    private func matchArguments(
        _ arguments: JSONElement?, key: JSONElement?, keyName: StaticString, _ findings: inout [Finding]
    ) {
        guard let key else {
            guard let arguments else { return }
            return add(
                .localizationMismatch, at: arguments,
                "\(label(arguments)) has no \(keyName) whose text it could fill.", &findings)
        }
        guard document.hasByte(UInt8(ascii: "%"), inText: key), let format = document.string(key) else { return }
        let expected = LocalizedFormat.placeholders(in: format)
        let count = arguments.map { document.count(of: $0) } ?? 0
        guard expected != count, arguments.map({ document.kind($0) == .array }) ?? true else { return }
        add(
            .localizationMismatch, at: arguments ?? key,
            "\(keyName) has \(expected) placeholder\(expected == 1 ? "" : "s"), and there \(count == 1 ? "is" : "are")"
                + " \(count) argument\(count == 1 ? "" : "s").", &findings)
    }

    /// In a Live Activity, title and body may be objects of a key and its arguments.
    func examineLocalizable(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        if kind.isString { return }
        guard isLiveActivity, kind == .object else {
            return refuse(element, isLiveActivity ? .localizableText : .text, &findings)
        }
        let key = document.member("loc-key", of: element)
        let arguments = document.member("loc-args", of: element)
        for member in document.children(of: element) {
            if member == key {
                examineValue(member, document.kind(member), .text, &findings)
            } else if member == arguments {
                examineValue(member, document.kind(member), .localizationArguments, &findings)
            } else {
                adviseUnknown(member, in: .localizedText, &findings)
            }
        }
        if key == nil { refuse(element, .localizableText, because: ", and there is no loc-key", &findings) }
        matchArguments(arguments, key: key, keyName: "loc-key", &findings)
    }
}
