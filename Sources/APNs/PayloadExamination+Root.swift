import JSON

/// The rules about the outermost object: `aps` and the app's own keys beside it.
extension PayloadExamination {
    /// Looks at each member of the outermost object.
    func examineRoot(_ findings: inout [Finding], _ facts: inout PayloadFacts) {
        var aps: JSONElement?
        var styles = NameStyles()
        var next = document.firstMember(of: document.root, in: tables.root)
        while let member = next {
            next = document.member(after: member, in: tables.root)
            switch member.place {
            case -1:
                styles.note(document.nameStyle(of: member.element))
                if let place = document.loosePlace(ofName: member.element, in: tables.aps) {
                    adviseOutside(member.element, place, &findings)
                }
            case tables.apsPlace:
                if aps == nil { examineAPS(member.element, &findings, &facts) }
                aps = aps ?? member.element
            case tables.mdmPlace:
                add(
                    .mdmElsewhere, at: member.element,
                    "mdm stands in a push of type \(context.pushType.rawValue).", &findings)
            default: adviseOutside(member.element, member.place, &findings)
            }
        }
        if aps == nil { examineMissingAPS(&findings) }
        if styles.areMixed { adviseMixedNames(&findings) }
    }

    /// A key of `aps` beside it: a mistake, unless the key belongs to pushes of another type.
    private func adviseOutside(_ member: JSONElement, _ place: Int, _ findings: inout [Finding]) {
        guard tables.apsTypes[place].contains(PushTypeSet(context.pushType)) else { return }
        let name = label(member)
        let proper = APSKey.rows[place].name
        let message =
            name == proper.description
            ? "\(name) stands beside aps, where devices do not look for it."
            : "\(name) stands beside aps and looks like its key \(proper)."
        add(.apsKeyOutside, at: member, message, &findings)
    }

    private func examineMissingAPS(_ findings: inout [Finding]) {
        if context.pushType == .controls { adviseUnchanged(&findings) }
        let isNeeded = tables.typesWithAPS.contains(PushTypeSet(context.pushType))
        guard isNeeded else { return }
        for member in document.children(of: document.root) where document.kind(member) == .object {
            guard let name = document.key(of: member), EditDistance.isNear(name, to: "aps") else { continue }
            add(.misspeltKey, at: member, "\(name) is no key of Apple's; did you mean aps?", &findings)
        }
        guard mayAdd(.apsMissing, &findings) else { return }
        let look = LookAlike.envelope(document)
        findings.append(
            Finding(
                .apsMissing, path: "aps",
                message: "There is no aps, which a push of type \(context.pushType.rawValue) needs."
                    + (look.map { " The payload looks like \($0.name)." } ?? ""), fix: look?.fix))
    }

    private func adviseMixedNames(_ findings: inout [Finding]) {
        var styles = NameStyles()
        var examples: [String] = []
        for member in document.children(of: document.root) {
            guard document.place(ofName: member, in: tables.root) == nil else { continue }
            if styles.note(document.nameStyle(of: member)) { examples.append(label(member)) }
        }
        add(
            .mixedNames, path: "", found: examples.joined(separator: ", "),
            "The app's keys mix styles of names: \(examples.joined(separator: ", ")).", &findings)
    }
}
