package import JSON

/// What the decision learned of a payload while it read it, so that nobody reads it again to show it: whether it is JSON, and
/// where the texts a phone would show lie in the request's storage.
package struct PayloadFacts: Sendable {
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
        let alert = document.member("alert", of: aps)
        if let alert { read(alert: alert, in: document) }
        let badgeElement = document.member("badge", of: aps)
        if let badgeElement { badge = Place(document.range(badgeElement)) }
        let soundElement = document.member("sound", of: aps)
        if let soundElement { read(sound: soundElement, in: document) }
        if let element = document.member("thread-id", of: aps) { thread = Self.place(ofString: element, in: document) }
        guard alert == nil, badgeElement == nil, soundElement == nil else { return }
        guard let element = document.member("content-available", of: aps) else { return }
        isSilent = document.integer(element) == 1 || document.boolean(element) == true
    }

    private mutating func read(alert: JSONElement, in document: JSONDocument) {
        switch document.kind(alert) {
        case .string: body = Place(document.range(alert))
        case .object:
            if let element = document.member("title", of: alert) { title = Self.place(ofString: element, in: document) }
            if let element = document.member("subtitle", of: alert) {
                subtitle = Self.place(ofString: element, in: document)
            }
            if let element = document.member("body", of: alert) { body = Self.place(ofString: element, in: document) }
        default: return
        }
    }

    private mutating func read(sound element: JSONElement, in document: JSONDocument) {
        guard document.kind(element) == .object else {
            sound = Self.place(ofString: element, in: document)
            return
        }
        if let name = document.member("name", of: element) { sound = Self.place(ofString: name, in: document) }
    }

    private static func place(ofString element: JSONElement, in document: JSONDocument) -> Place {
        document.kind(element) == .string ? Place(document.range(element)) : .none
    }
}
