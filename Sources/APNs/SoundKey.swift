/// The keys of a `sound` that is an object.
package enum SoundKey: Int, Sendable, CaseIterable {
    case critical, name, volume

    /// What is known of each key, in the order of the cases.
    package static let rows: [PayloadKeyRow] = [
        PayloadKeyRow("critical", .critical, since: "iOS 12", "1 plays the sound even when the device is muted."),
        PayloadKeyRow("name", .text, since: "iOS 12", "The sound file, or default."),
        PayloadKeyRow("volume", .volume, since: "iOS 12", "The loudness of a critical alert's sound."),
    ]

    package var row: PayloadKeyRow { SoundKey.rows[rawValue] }
}
