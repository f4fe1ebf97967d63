import APNs
import HTTP
package import JSON

/// A JSON object of an entry, and its members by name; what is wrong is named with its path.
package struct EntryObject {
    let document: JSONDocument
    let element: JSONElement
    /// Where the object stands in the entry, with a dot behind; empty for the entry itself.
    private let path: String

    /// The object of a document; nil when the element is none.
    package init?(_ document: JSONDocument, _ element: JSONElement) {
        self.init(document, element, path: "")
    }

    private init?(_ document: JSONDocument, _ element: JSONElement, path: String) {
        guard document.kind(element) == .object else { return nil }
        self.document = document
        self.element = element
        self.path = path
    }

    /// The member, unless it is null.
    func member(_ name: StaticString) -> JSONElement? {
        guard let member = document.member(name, of: element), document.kind(member) != .null else { return nil }
        return member
    }

    /// The name of a member that stands there twice; nil when none does.
    var doubledName: String? {
        guard document.hasDuplicates else { return nil }
        return document.children(of: element).first { document.isDuplicate($0) }.flatMap { document.key(of: $0) }
    }

    private func wrong(_ name: StaticString, _ expected: String) -> EntryReader.Fault {
        let found = member(name).map { document.written($0, limit: 60) } ?? "nothing"
        return EntryReader.Fault("\(path)\(name)", "found \(found); expected \(expected)")
    }

    func object(_ name: StaticString) -> EntryObject? {
        member(name).flatMap { EntryObject(document, $0, path: "\(path)\(name).") }
    }

    /// The objects of an array; none when there is no such array.
    func objects(_ name: StaticString) -> [EntryObject] {
        guard let list = member(name), document.kind(list) == .array else { return [] }
        return document.children(of: list).compactMap { EntryObject(document, $0, path: "\(path)\(name).") }
    }

    func optionalText(_ name: StaticString) throws(EntryReader.Fault) -> String? {
        guard let member = member(name) else { return nil }
        guard let text = document.string(member) else { throw wrong(name, "a text") }
        return text
    }

    func text(_ name: StaticString) throws(EntryReader.Fault) -> String {
        guard let text = try optionalText(name) else { throw wrong(name, "a text") }
        return text
    }

    func optionalNumber(_ name: StaticString, in range: ClosedRange<Int64>) throws(EntryReader.Fault) -> Int64? {
        guard let member = member(name) else { return nil }
        guard let number = document.integer(member), range.contains(number) else {
            throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func number(_ name: StaticString, in range: ClosedRange<Int64>) throws(EntryReader.Fault) -> Int64 {
        guard let number = try optionalNumber(name, in: range) else { throw wrong(name, "a whole number") }
        return number
    }

    func optionalBoolean(_ name: StaticString) throws(EntryReader.Fault) -> Bool? {
        guard let member = member(name) else { return nil }
        guard let value = document.boolean(member) else { throw wrong(name, "true or false") }
        return value
    }

    func double(_ name: StaticString) -> Double? { member(name).flatMap { document.double($0) } }

    func optionalWord<Word: RawRepresentable & CaseIterable>(
        _ name: StaticString
    ) throws(EntryReader.Fault) -> Word? where Word.RawValue == String {
        guard let text = try optionalText(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw wrong(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    func word<Word: RawRepresentable & CaseIterable>(
        _ name: StaticString
    ) throws(EntryReader.Fault) -> Word where Word.RawValue == String {
        guard let word: Word = try optionalWord(name) else {
            throw wrong(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// A time, in milliseconds since 1970.
    func moment(_ name: StaticString) throws(EntryReader.Fault) -> Int64? {
        guard let text = try optionalText(name) else { return nil }
        guard let moment = MomentText.time(Array(text.utf8)) else { throw wrong(name, "a time of RFC 3339") }
        return moment
    }

    func uuid(_ name: StaticString) throws(EntryReader.Fault) -> UUIDText? {
        guard let text = try optionalText(name) else { return nil }
        guard let id = UUIDText(text.utf8) else { throw wrong(name, "a UUID") }
        return id
    }

    func reason(_ name: StaticString) throws(EntryReader.Fault) -> Reason? {
        guard let text = try optionalText(name) else { return nil }
        guard let reason = Reason(wire: text) else { throw wrong(name, "one of the reasons of APNs") }
        return reason
    }
}
