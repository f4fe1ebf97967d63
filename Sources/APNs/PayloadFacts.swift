package import JSON

/// What the rules learned of a payload while they read it, so that nobody reads it again to show it: whether it is JSON, and
/// where the texts a phone would show lie in the request's storage.
package struct PayloadFacts: Sendable, Equatable {
    /// Whether the body is JSON.
    package enum Form: UInt8, Sendable {
        /// Nobody has looked.
        case unknown
        case json
        /// Empty, or not JSON.
        case other
    }

    /// A JSON value as it is written, by its place in the request's storage; empty when there is none. Half the size of a
    /// `Range<Int>`, since every entry holds six.
    package struct Place: Sendable, Equatable {
        package let start: UInt32
        package let end: UInt32

        /// No value.
        package static let none = Place(start: 0, end: 0)

        package init(start: UInt32, end: UInt32) {
            self.start = start
            self.end = end
        }

        /// The place of these bytes.
        package init(_ range: Range<Int>) {
            start = UInt32(truncatingIfNeeded: range.lowerBound)
            end = UInt32(truncatingIfNeeded: range.upperBound)
        }

        /// Whether there is no value.
        package var isEmpty: Bool { start == end }
        /// The bytes of the value.
        package var range: Range<Int> { Int(start)..<Int(end) }
    }

    package var form: Form = .unknown
    /// `aps.alert.title`.
    package var title = Place.none
    /// `aps.alert.subtitle`.
    package var subtitle = Place.none
    /// `aps.alert.body`, or `aps.alert` when it is a string.
    package var body = Place.none
    /// `aps.badge`.
    package var badge = Place.none
    /// `aps.sound`, or its `name` for a critical alert.
    package var sound = Place.none
    /// `aps.thread-id`.
    package var thread = Place.none
    /// Whether the push only wakes the app: `content-available` without alert, badge and sound.
    package var isSilent = false

    /// Nothing known.
    package init() {}

    /// The facts of a payload that was parsed where it lies in the request's storage; an invalid document is no JSON.
    package init(_ document: borrowing JSONDocument) {
        guard document.isValid else {
            form = .other
            return
        }
        form = .json
        guard let aps = document.member("aps", of: document.root) else { return }
        var shows = false
        var wakes = false
        var next = document.firstMember(of: aps, in: Self.apsNames)
        while let member = next {
            next = document.member(after: member, in: Self.apsNames)
            // Of equal names the first counts, as everywhere.
            switch member.place {
            case 0:
                if title.isEmpty, subtitle.isEmpty, body.isEmpty { readAlert(member, in: document) }
                shows = true
            case 1:
                if badge.isEmpty { badge = Place(document.range(member.element)) }
                shows = true
            case 2:
                if sound.isEmpty { readSound(member, in: document) }
                shows = true
            case 3:
                if thread.isEmpty { thread = Self.place(ofString: member, in: document) }
            case 4:
                let value = member.element
                wakes = wakes || document.integer(value) == 1 || document.boolean(value) == true
            default: continue
            }
        }
        isSilent = wakes && !shows
    }

    /// The facts of a valid object whose members the rules are about to go through, noting them; complete only when no name
    /// occurs twice.
    static var noting: PayloadFacts {
        var facts = PayloadFacts()
        facts.form = .json
        return facts
    }

    /// Notes a member of `aps` whose place in the table of its keys is given; `alert` is noted by its members.
    mutating func note(_ member: JSONMember, in document: borrowing JSONDocument, _ sight: inout Sight) {
        switch APSKey(rawValue: member.place) {
        case .alert:
            if case .string = member.kind { body = Place(document.range(member.element)) }
            sight.shows = true
        case .badge:
            badge = Place(document.range(member.element))
            sight.shows = true
        case .sound:
            readSound(member, in: document)
            sight.shows = true
        case .threadID: thread = Self.place(ofString: member, in: document)
        case .contentAvailable:
            sight.wakes = document.integer(member.element) == 1 || document.boolean(member.element) == true
        default: break
        }
    }

    /// Notes a member of `alert`.
    mutating func noteAlert(_ member: JSONMember, in document: borrowing JSONDocument) {
        switch AlertKey(rawValue: member.place) {
        case .title: title = Self.place(ofString: member, in: document)
        case .subtitle: subtitle = Self.place(ofString: member, in: document)
        case .body: body = Self.place(ofString: member, in: document)
        default: break
        }
    }

    /// Whether a push shows something, and whether it wakes the app.
    struct Sight {
        var shows = false
        var wakes = false
    }

    private static let apsNames = JSONNameTable(["alert", "badge", "sound", "thread-id", "content-available"])
    private static let alertNames = JSONNameTable(["title", "subtitle", "body"])
    private static let soundNames = JSONNameTable(["name"])

    private mutating func readAlert(_ alert: JSONMember, in document: JSONDocument) {
        guard alert.kind == .object else {
            body = Self.place(ofString: alert, in: document)
            return
        }
        var next = document.firstMember(of: alert.element, in: Self.alertNames)
        while let member = next {
            next = document.member(after: member, in: Self.alertNames)
            switch member.place {
            case 0: if title.isEmpty { title = Self.place(ofString: member, in: document) }
            case 1: if subtitle.isEmpty { subtitle = Self.place(ofString: member, in: document) }
            case 2: if body.isEmpty { body = Self.place(ofString: member, in: document) }
            default: continue
            }
        }
    }

    private mutating func readSound(_ member: JSONMember, in document: JSONDocument) {
        guard case .object = member.kind else {
            sound = Self.place(ofString: member, in: document)
            return
        }
        var next = document.firstMember(of: member.element, in: Self.soundNames)
        while let part = next {
            next = document.member(after: part, in: Self.soundNames)
            if part.place == 0, sound.isEmpty { sound = Self.place(ofString: part, in: document) }
        }
    }

    private static func place(ofString member: JSONMember, in document: JSONDocument) -> Place {
        // A comparison of another module's enum by == is a call.
        if case .string = member.kind { Place(document.range(member.element)) } else { .none }
    }
}
