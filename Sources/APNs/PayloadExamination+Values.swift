import JSON

/// The rules about single values.
extension PayloadExamination {
    /// The value is what its key needs.
    mutating func examineValue(_ element: JSONElement, _ rule: ValueRule) {
        let kind = document.kind(element)
        switch rule {
        case .text: if kind != .string { refuse(element, .text) }
        case .badge: examineBadge(element, kind)
        case .sound: examineSound(element, kind)
        case .flag: examineFlag(element, kind)
        case .critical: examineCritical(element, kind)
        case .volume: if !isFraction(element) { refuse(element, .soundVolume) }
        case .relevance:
            if isLiveActivity ? kind != .number : !isFraction(element) { refuse(element, .relevanceScore) }
        case .interruptionLevel:
            if document.place(ofText: element, in: InterruptionLevel.names) == nil { refuseLevel(element) }
        case .event:
            if document.place(ofText: element, in: LiveActivityEvent.names) == nil { refuse(element, .event) }
        case .seconds: examineSeconds(element, kind)
        case .object: if kind != .object { refuse(element, .object) }
        case .localizationArguments: examineTexts(element, kind, .localizationArguments)
        case .urlArguments: examineTexts(element, kind, .urlArguments)
        case .contentChanged: examineContentChanged(element, kind)
        case .channel: examineChannel(element)
        case .localizableText: examineLocalizable(element)
        case .number: if kind != .number { refuse(element, .number) }
        case .alertSound: if kind != .string { refuse(element, .text) }
        case .alert: _ = examineAlert(element)
        }
    }

    private mutating func examineBadge(_ element: JSONElement, _ kind: JSONKind) {
        if kind == .number, let value = document.integer(element), value >= 0 { return }
        refuse(element, .badge)
    }

    /// The number 1. Many senders say true, and some say 0 for no; both are read by devices as meant.
    private mutating func examineFlag(_ element: JSONElement, _ kind: JSONKind) {
        switch (kind, document.integer(element)) {
        case (.number, 1): return
        case (.number, 0), (.boolean, _):
            add(.flagNotOne, at: element, "\(described(element)); Apple's table gives it the number 1.")
        default: refuse(element, .flag)
        }
    }

    private mutating func examineContentChanged(_ element: JSONElement, _ kind: JSONKind) {
        if document.boolean(element) == true { return }
        switch (kind, document.integer(element)) {
        case (.boolean, _), (.number, 0), (.number, 1):
            add(.flagNotOne, at: element, "\(described(element)); Apple's table gives it the value true.")
        default: refuse(element, .contentChanged)
        }
    }

    private mutating func examineCritical(_ element: JSONElement, _ kind: JSONKind) {
        switch (kind, document.integer(element)) {
        case (.number, 0), (.number, 1): return
        case (.boolean, _): add(.flagNotOne, at: element, "\(described(element)); Apple's table gives it the number 1.")
        default: refuse(element, .soundCritical)
        }
    }

    /// Whether the value is a number from 0 to 1.
    private func isFraction(_ element: JSONElement) -> Bool {
        guard let value = document.double(element) else { return false }
        return value >= 0 && value <= 1
    }

    private mutating func refuseLevel(_ element: JSONElement) {
        let levels = InterruptionLevel.allCases.map(\.rawValue)
        let near = document.string(element).flatMap { EditDistance.nearest(to: $0, among: levels) }
        refuse(element, .interruptionLevel, because: near.map { "; did you mean \($0)?" } ?? "")
    }

    /// Seconds since 1970, in a number small enough not to be milliseconds.
    private mutating func examineSeconds(_ element: JSONElement, _ kind: JSONKind) {
        guard kind == .number else { return refuse(element, .seconds) }
        guard let value = document.double(element), value >= 100_000_000_000 else { return }
        add(
            .milliseconds, at: element, "\(described(element)), which would be after the year 5000; is it milliseconds?"
        )
    }

    private mutating func examineTexts(_ element: JSONElement, _ kind: JSONKind, _ code: FindingCode) {
        guard kind == .array else { return refuse(element, code) }
        var next = document.firstChild(of: element)
        while let item = next {
            next = document.next(after: item)
            if document.kind(item) != .string {
                add(code, at: item, "\(described(item)); it must be a string.")
            }
        }
    }

    /// A channel id is base64, in the standard alphabet and padded.
    private mutating func examineChannel(_ element: JSONElement) {
        guard let text = document.string(element), isBase64(text.utf8) else {
            return refuse(element, .inputPushChannel)
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

    private mutating func examineSound(_ element: JSONElement, _ kind: JSONKind) {
        if isLiveActivity { adviseMisplaced(element, to: "aps.alert.sound") }
        if kind == .string { return }
        guard kind == .object else { return refuse(element, .soundForm) }
        var isCritical = false
        var volume: JSONElement?
        var next = document.firstChild(of: element)
        while let member = next {
            next = document.next(after: member)
            guard let place = document.place(ofName: member, in: SoundKey.names) else {
                adviseUnknown(member, in: .sound)
                continue
            }
            if document.kind(member) == .null {
                adviseNull(member)
                continue
            }
            examineValue(member, SoundKey.rules[place])
            if place == SoundKey.critical.rawValue {
                isCritical = document.integer(member) != 0 && document.boolean(member) != false
            } else if place == SoundKey.volume.rawValue {
                volume = member
            }
        }
        if let volume, !isCritical {
            add(
                .volumeWithoutCritical, at: volume,
                "volume is heeded for critical alerts only, and critical is not 1.")
        }
    }
}
