import JSON

/// The rules about the request and the payload as a whole.
extension PayloadExamination {
    /// What can be said before the payload is looked at.
    func examineRequest(_ findings: inout [Finding]) {
        let type = context.pushType
        if !context.isTypeDeclared {
            add(
                .pushTypeMissing, path: "apns-push-type",
                "There is no apns-push-type header; the push is taken as \(type.rawValue).", &findings)
        }
        if document.length * 100 > context.limit * PayloadRules.sizeAdvicePercent { adviseSize(&findings) }
        if type == .background ? context.priority == 10 : !isPriorityAdvised { advisePriority(&findings) }
    }

    /// Whether Apple names the priority for the push type.
    private var isPriorityAdvised: Bool {
        switch context.pushType {
        case .pushtotalk: context.priority == 10
        case .liveactivity, .location: context.priority != 1
        default: true
        }
    }

    private func adviseSize(_ findings: inout [Finding]) {
        let percent = context.limit > 0 ? document.length * 100 / context.limit : 100
        add(
            .nearSizeLimit, path: "", found: "\(document.length) bytes",
            "The payload has \(document.length) of \(context.limit) bytes, \(percent) %.", &findings)
    }

    private func advisePriority(_ findings: inout [Finding]) {
        let priority = "\(context.priority)"
        if context.pushType == .background {
            add(
                .backgroundVisible, path: "apns-priority", found: priority,
                "A background push has apns-priority 5; Apple calls 10 an error, and the device may drop the push.",
                &findings)
        } else {
            let advised = context.pushType.row.advisedPriorities.map(String.init).joined(separator: " or ")
            add(
                .priorityOfType, path: "apns-priority", found: priority,
                "The apns-priority is \(priority); for \(context.pushType.rawValue) Apple names \(advised).", &findings)
        }
    }

    /// An MDM push holds the PushMagic string and nothing else.
    func examineDeviceManagement(_ findings: inout [Finding]) {
        var hasMagic = false
        var next = document.firstChild(of: document.root)
        while let member = next {
            next = document.next(after: member)
            if document.place(ofName: member, in: tables.root) == tables.mdmPlace {
                hasMagic = true
                if document.kind(member) != .string {
                    add(.mdmPayload, at: member, "\(described(member)); it must be the PushMagic string.", &findings)
                } else if document.isBlank(member) {
                    add(.emptyValue, at: member, "mdm is there, but there is nothing in it.", &findings)
                }
            } else {
                add(
                    .mdmPayload, at: member,
                    "\(label(member)) may not stand beside mdm: an MDM push is exactly {\"mdm\": \"<PushMagic>\"}.",
                    &findings)
            }
        }
        if !hasMagic {
            add(
                .mdmPayload, path: "mdm", "There is no mdm; the device wakes its MDM client only for its PushMagic.",
                &findings)
        }
    }

    /// A push for a Wallet pass is an empty object.
    func examineWallet(_ findings: inout [Finding]) {
        guard let member = document.firstChild(of: document.root) else { return }
        add(
            .walletPayload, at: member, "The push is for a Wallet pass, for which nothing in the payload is read.",
            &findings)
    }

    /// A push to a File Provider extension names what has changed.
    func examineFileProvider(_ findings: inout [Finding]) {
        for name in ["container-identifier", "domain"] as [StaticString] {
            guard let member = document.member(name, of: document.root) else {
                add(
                    .fileProviderKey, path: name.description,
                    "A fileprovider push has no \(name), so nothing is told to have changed.", &findings)
                continue
            }
            if document.kind(member) != .string || document.isBlank(member) {
                add(.fileProviderKey, at: member, "\(described(member)); it must be a string with a name.", &findings)
            }
        }
    }

    /// Numbers that a device reads as others, or not at all.
    func examineNumbers(_ findings: inout [Finding]) {
        for element in document.numbersBeyondDouble {
            add(
                .numberBeyondDouble, at: element,
                "\(described(element)), which no double holds; a device reads another number, or none.", &findings)
        }
    }

    /// Names that occur twice in an object.
    func examineDuplicates(_ findings: inout [Finding]) {
        for member in document.duplicates {
            add(.duplicateKey, at: member, "\(label(member)) occurs more than once in the same object.", &findings)
        }
    }
}
