import JSON

/// The rules about single values.
extension PayloadExamination {
    /// The value is what its key needs.
    func examineValue(_ element: JSONElement, _ kind: JSONKind, _ rule: ValueRule, _ findings: inout [Finding]) {
        switch rule {
        case .text: if !kind.isString { refuse(element, .text, &findings) }
        case .badge: examineBadge(element, kind, &findings)
        case .sound: examineSound(element, kind, &findings)
        case .flag: examineFlag(element, kind, &findings)
        case .critical: examineCritical(element, kind, &findings)
        case .volume: if !isFraction(element) { refuse(element, .soundVolume, &findings) }
        case .relevance:
            if isLiveActivity ? kind != .number : !isFraction(element) { refuse(element, .relevanceScore, &findings) }
        case .interruptionLevel:
            if document.place(ofText: element, in: tables.interruptionLevels) == nil { refuseLevel(element, &findings) }
        case .event:
            if document.place(ofText: element, in: tables.events) == nil { refuse(element, .event, &findings) }
        case .seconds: examineSeconds(element, kind, &findings)
        case .object: if kind != .object { refuse(element, .object, &findings) }
        case .localizationArguments: examineTexts(element, kind, .localizationArguments, &findings)
        case .urlArguments: examineTexts(element, kind, .urlArguments, &findings)
        case .contentChanged: examineContentChanged(element, kind, &findings)
        case .channel: examineChannel(element, &findings)
        case .localizableText: examineLocalizable(element, kind, &findings)
        case .number: if kind != .number { refuse(element, .number, &findings) }
        case .alertSound: if !kind.isString { refuse(element, .text, &findings) }
        case .alert:
            var facts = PayloadFacts()
            _ = examineAlert(element, kind, &findings, &facts)
        }
    }

    private func examineBadge(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        if case .number = kind, let value = document.integer(element) ?? (document.isWhole(element) ? 0 : nil),
            value >= 0
        {
            return
        }
        refuse(element, .badge, &findings)
    }

    /// The number 1. Many senders say true, and some say 0 for no; both are read by devices as meant.
    private func examineFlag(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        switch (kind, document.integer(element)) {
        case (.number, 1): return
        case (.number, 0), (.boolean, _):
            add(.flagNotOne, at: element, "\(described(element)); Apple's table gives it the number 1.", &findings)
        default: refuse(element, .flag, &findings)
        }
    }

    private func examineContentChanged(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        if document.boolean(element) == true { return }
        switch (kind, document.integer(element)) {
        case (.boolean, _), (.number, 0), (.number, 1):
            add(.flagNotOne, at: element, "\(described(element)); Apple's table gives it the value true.", &findings)
        default: refuse(element, .contentChanged, &findings)
        }
    }

    private func examineCritical(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        switch (kind, document.integer(element)) {
        case (.number, 0), (.number, 1): return
        case (.boolean, _):
            add(.flagNotOne, at: element, "\(described(element)); Apple's table gives it the number 1.", &findings)
        default: refuse(element, .soundCritical, &findings)
        }
    }

    /// Whether the value is a number from 0 to 1.
    private func isFraction(_ element: JSONElement) -> Bool {
        guard let value = document.double(element) else { return false }
        return value >= 0 && value <= 1
    }

    private func refuseLevel(_ element: JSONElement, _ findings: inout [Finding]) {
        let levels = InterruptionLevel.allCases.map(\.rawValue)
        let near = document.string(element).flatMap { EditDistance.nearest(to: $0, among: levels) }
        refuse(element, .interruptionLevel, because: near.map { "; did you mean \($0)?" } ?? "", &findings)
    }

    /// Seconds since 1970, in a number small enough not to be milliseconds.
    private func examineSeconds(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        guard kind == .number else { return refuse(element, .seconds, &findings) }
        guard let value = document.double(element), value >= 100_000_000_000 else { return }
        add(
            .milliseconds, at: element,
            "\(described(element)), which would be after the year 5000; is it milliseconds?", &findings)
    }

    private func examineTexts(
        _ element: JSONElement, _ kind: JSONKind, _ code: FindingCode, _ findings: inout [Finding]
    ) {
        guard kind == .array else { return refuse(element, code, &findings) }
        var next = document.firstChild(of: element)
        while let item = next {
            next = document.next(after: item)
            if document.kind(item) != .string {
                add(code, at: item, "\(described(item)); it must be a string.", &findings)
            }
        }
    }

    /// A channel id is base64, in the standard alphabet and padded.
    private func examineChannel(_ element: JSONElement, _ findings: inout [Finding]) {
        guard let text = document.string(element), isBase64(text.utf8) else {
            return refuse(element, .inputPushChannel, &findings)
        }
    }

    private func isBase64(_ text: String.UTF8View) -> Bool {
        guard !text.isEmpty, text.count % 4 == 0 else { return false }
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return padding <= 2
            && text.dropLast(padding).allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
                default: false
                }
            }
    }

    // MARK: - Sound

    private func examineSound(_ element: JSONElement, _ kind: JSONKind, _ findings: inout [Finding]) {
        if isLiveActivity { adviseMisplaced(element, to: "aps.alert.sound", &findings) }
        if kind.isString { return }
        guard kind == .object else { return refuse(element, .soundForm, &findings) }
        var isCritical = false
        var volume: JSONElement?
        var next = document.firstMember(of: element, in: tables.sound)
        while let member = next {
            next = document.member(after: member, in: tables.sound)
            guard let place = admit(member, in: .sound, &findings) else { continue }
            examineValue(member.element, member.kind, tables.soundRules[place], &findings)
            if place == SoundKey.critical.rawValue {
                isCritical = document.integer(member.element) != 0 && document.boolean(member.element) != false
            } else if place == SoundKey.volume.rawValue {
                volume = member.element
            }
        }
        if let volume, !isCritical {
            add(
                .volumeWithoutCritical, at: volume,
                "volume is heeded for critical alerts only, and critical is not 1.", &findings)
        }
    }
}
