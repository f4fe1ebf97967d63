import APNs

/// The app of a push, as a phone shows it.
package struct PreviewApp: Sendable, Equatable {
    package var bundleID: String
    package var name: String
    /// What stands on the tile of an app without an icon.
    package var letter: String
    /// The colour of that tile, in degrees from 0 to 359; the same for the same app.
    package var hue: Int
    /// The icon as a `data:` URL; nil when none is known.
    package var icon: String?

    /// The app of a topic: what is known of it, or else a name and a colour made from the bundle id.
    package init(topic: String, among apps: [AppFacts]) {
        let bytes = Array(topic.utf8)
        let suffix = PushType(suffixOf: bytes.span)?.row.topicSuffix
        bundleID = suffix.map { String(topic.dropLast($0.utf8CodeUnitCount)) } ?? topic
        let bundleID = bundleID
        let facts = apps.first { $0.bundleID == bundleID }
        name = facts?.name ?? Self.name(of: bundleID)
        letter = name.first.map { $0.uppercased() } ?? "?"
        hue = Int(bundleID.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 } % 360)
        icon = facts?.iconURL
    }

    /// The last part of a bundle id that says something, with a capital letter.
    private static func name(of bundleID: String) -> String {
        let parts = bundleID.split(separator: ".")
        // com.acme.app says Acme.
        let usual = ["app", "ios", "mobile", "iphone"]
        let telling = parts.count > 2 ? parts.last { !usual.contains($0.lowercased()) } : parts.last
        guard let part = telling ?? parts.last, let first = part.first else { return "App" }
        return first.uppercased() + part.dropFirst()
    }
}
