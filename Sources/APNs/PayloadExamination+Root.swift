import JSON

/// The rules about the outermost object: `aps` and the app's own keys beside it.
extension PayloadExamination {
    /// The names of `aps` that must not stand beside it, then `aps` itself and `mdm`.
    static let rootNames = JSONNameTable(APSKey.rows.map(\.name) + ["aps", "mdm"])
    static let apsPlace = APSKey.rows.count
    static let mdmPlace = APSKey.rows.count + 1
    /// The push types whose payload must have `aps`.
    private static let typesWithAPS = PushType.allCases.filter(\.row.requiresAPS).reduce(into: PushTypeSet()) {
        $0.insert(PushTypeSet($1))
    }

    /// Looks at each member of the outermost object.
    mutating func examineRoot() {
        var aps: JSONElement?
        var styles = NameStyles()
        var next = document.firstChild(of: document.root)
        while let member = next {
            next = document.next(after: member)
            guard let place = document.place(ofName: member, in: PayloadExamination.rootNames) else {
                styles.note(document.nameLetters(of: member))
                if let place = document.loosePlace(ofName: member, in: APSKey.names) { adviseOutside(member, place) }
                continue
            }
            if place == PayloadExamination.apsPlace {
                if aps == nil { examineAPS(member) }
                aps = aps ?? member
            } else if place == PayloadExamination.mdmPlace {
                add(.mdmElsewhere, at: member, "mdm stands in a push of type \(context.pushType.rawValue).")
            } else {
                adviseOutside(member, place)
            }
        }
        if aps == nil { examineMissingAPS() }
        if styles.areMixed { adviseMixedNames() }
    }

    /// A key of `aps` beside it: a mistake, unless the key belongs to pushes of another type.
    private mutating func adviseOutside(_ member: JSONElement, _ place: Int) {
        guard APSKey.pushTypes[place].contains(PushTypeSet(context.pushType)) else { return }
        let name = label(member)
        let proper = APSKey.rows[place].name
        let message =
            name == proper.description
            ? "\(name) stands beside aps, where devices do not look for it."
            : "\(name) stands beside aps and looks like its key \(proper)."
        add(.apsKeyOutside, at: member, message)
    }

    private mutating func examineMissingAPS() {
        let isNeeded = PayloadExamination.typesWithAPS.contains(PushTypeSet(context.pushType))
        guard isNeeded else { return }
        for member in document.children(of: document.root) where document.kind(member) == .object {
            guard let name = document.key(of: member), EditDistance.isNear(name, to: "aps") else { continue }
            add(.misspeltKey, at: member, "\(name) is no key of Apple's; did you mean aps?")
        }
        add(.apsMissing, path: "aps", "There is no aps, which a push of type \(context.pushType.rawValue) needs.")
    }

    private mutating func adviseMixedNames() {
        var styles = NameStyles()
        var examples: [String] = []
        for member in document.children(of: document.root) {
            guard document.place(ofName: member, in: PayloadExamination.rootNames) == nil else { continue }
            if styles.note(document.nameLetters(of: member)) { examples.append(label(member)) }
        }
        add(
            .mixedNames, path: "", found: examples.joined(separator: ", "),
            "The app's keys mix styles of names: \(examples.joined(separator: ", ")).")
    }
}
