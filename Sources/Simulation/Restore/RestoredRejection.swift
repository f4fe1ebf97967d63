import APNs
import JSON

/// Why a request of an entry that is read was refused: the checks that failed, and those that were not made.
struct RestoredRejection {
    /// What the renderer begins the note of a further failed check with.
    static let furtherNote = "would also fail: "

    private let object: EntryObject

    init(_ object: EntryObject) {
        self.object = object
    }

    /// Puts failures and unmade checks into an entry; of an accepted one there is nothing to read.
    func read(into content: inout JournalEntry.Content) throws(EntryReader.Fault) {
        guard let rejection = object.object("rejection") else { return }
        var first: CheckFailure?
        var further: [CheckFailure] = []
        var others = try Self.reasons(rejection).makeIterator()
        for element in rejection.objects("checks") {
            let name = try element.text("check")
            guard let check = Check.allCases.first(where: { $0.name.description == name }) else {
                throw EntryReader.Fault(
                    "rejection.checks", "\"\(name.prefix(40))\" is no check that this version knows")
            }
            switch try element.optionalBoolean("ok") {
            case true?: continue
            case nil: content.unmade.insert(check)
            case false?:
                let note = try element.optionalText("note")
                if note == nil, first == nil {
                    first = try self.first(check, element, rejection)
                } else if let reason = others.next() {
                    further.append(
                        CheckFailure(
                            check, reason, expected: try element.text("expected"), actual: try element.text("actual"),
                            explanation: String(note?.dropFirst(Self.furtherNote.count) ?? "")))
                }
            }
        }
        guard let first else {
            throw EntryReader.Fault("rejection.checks", "found no failed check; expected at least one")
        }
        content.failures = [first] + further
    }

    /// The failure that was answered.
    private func first(
        _ check: Check, _ element: EntryObject, _ rejection: EntryObject
    ) throws(EntryReader.Fault) -> CheckFailure {
        guard let reason = try rejection.reason("reason") else {
            throw EntryReader.Fault("rejection.reason", "expected one of the reasons of APNs")
        }
        let fix = try rejection.text("fix")
        return CheckFailure(
            check, reason, expected: try element.text("expected"), actual: try element.text("actual"),
            explanation: try rejection.text("explanation"),
            timestamp: try rejection.optionalNumber("timestamp", in: Int64.min...Int64.max),
            fix: fix == reason.row.fix.description ? nil : fix)
    }

    private static func reasons(_ rejection: EntryObject) throws(EntryReader.Fault) -> [Reason] {
        guard let list = rejection.member("alsoWouldFail") else { return [] }
        return rejection.document.children(of: list).compactMap { element in
            rejection.document.string(element).flatMap { Reason(wire: $0) }
        }
    }
}
