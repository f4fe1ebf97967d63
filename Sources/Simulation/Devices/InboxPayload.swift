import APNs
import JSON

/// The keys of `aps` that decide what a device shows.
struct InboxPayload {
    /// The texts of an alert; where only the key of a translation is known, the key.
    struct Alert {
        var title: String?
        var subtitle: String?
        var body: String?

        /// Whether there is anything to read.
        var hasText: Bool { [title, subtitle, body].contains { $0?.isEmpty == false } }
    }

    let document: JSONDocument
    private let aps: JSONElement?

    /// The payload of a document that is JSON.
    init(_ document: JSONDocument) {
        self.document = document
        aps = document.member("aps", of: document.root)
    }

    /// A key of `aps` that is not null.
    func member(_ name: StaticString) -> JSONElement? {
        guard let member = aps.flatMap({ document.member(name, of: $0) }), document.kind(member) != .null else {
            return nil
        }
        return member
    }

    /// Whether the key is there and not null.
    func has(_ name: StaticString) -> Bool { member(name) != nil }

    /// A key that is a text.
    func text(_ name: StaticString) -> String? { member(name).flatMap { document.string($0) } }

    /// A key that is a number.
    func number(_ name: StaticString) -> Double? { member(name).flatMap { document.double($0) } }

    /// A key that is a time in seconds since 1970, in milliseconds.
    func milliseconds(_ name: StaticString) -> Int64? {
        number(name).flatMap { Int64(exactly: ($0 * 1000).rounded()) }
    }

    /// The value of a key as it was sent.
    func value(_ name: StaticString) -> [UInt8]? { member(name).map { Array(document.written($0).utf8) } }

    /// The number for the icon.
    var badge: Int64? { member("badge").flatMap { document.integer($0) } }

    /// The name of the sound.
    var sound: String? {
        guard let sound = member("sound") else { return nil }
        return document.string(sound) ?? document.member("name", of: sound).flatMap { document.string($0) } ?? "default"
    }

    /// Whether the app is woken.
    var wakes: Bool {
        member("content-available").map { document.integer($0) == 1 || document.boolean($0) == true } ?? false
    }

    /// What a Live Activity is told.
    var activityEvent: LiveActivityEvent? { text("event").flatMap { LiveActivityEvent(rawValue: $0) } }

    var alert: Alert {
        guard let alert = member("alert") else { return Alert() }
        if let body = document.string(alert) { return Alert(body: body) }
        func text(_ name: StaticString, _ key: StaticString) -> String? {
            for name in [name, key] {
                if let text = document.member(name, of: alert).flatMap({ document.string($0) }) { return text }
            }
            return nil
        }
        return Alert(
            title: text("title", "title-loc-key"), subtitle: text("subtitle", "subtitle-loc-key"),
            body: text("body", "loc-key"))
    }
}
