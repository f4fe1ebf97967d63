import JSON

/// The rules about keys that Apple's tables do not have: misspelt, in the wrong place, or unknown.
extension PayloadExamination {
    /// The objects whose keys are Apple's.
    enum KeyPlace {
        case aps, alert, sound, localizedText

        var name: String {
            switch self {
            case .aps: "aps"
            case .alert: "alert"
            case .sound: "sound"
            case .localizedText: "a localised text"
            }
        }

        var keys: [String] {
            switch self {
            case .aps: KeyPlace.apsKeys
            case .alert: KeyPlace.alertKeys
            case .sound: KeyPlace.soundKeys
            case .localizedText: KeyPlace.localizedTextKeys
            }
        }

        private static let apsKeys = APSKey.rows.map(\.name.description)
        private static let alertKeys = AlertKey.rows.map(\.name.description)
        private static let soundKeys = SoundKey.rows.map(\.name.description)
        private static let localizedTextKeys = ["loc-key", "loc-args"]

        /// The path of the keys, for those that have one.
        var path: String {
            switch self {
            case .aps: "aps"
            case .alert: "aps.alert"
            case .sound: "aps.sound"
            case .localizedText: ""
            }
        }
    }

    /// Says what a key that is none of this object's may be meant to be.
    func adviseUnknown(_ member: JSONElement, in place: KeyPlace, _ findings: inout [Finding]) {
        guard findings.count <= PayloadRules.maximumFindings else { return }
        let name = document.key(of: member) ?? ""
        for other in [KeyPlace.aps, .alert, .sound] where other != place && other.keys.contains(name) {
            return adviseMisplaced(member, to: "\(other.path).\(name)", &findings)
        }
        if let near = EditDistance.nearest(to: name, among: place.keys) {
            add(.misspeltKey, at: member, "\(name) is no key of \(place.name); did you mean \(near)?", &findings)
        } else {
            add(
                .unknownKey, at: member, "\(label(member)) is no key of \(place.name), and devices ignore it there.",
                &findings)
        }
    }

    func adviseMisplaced(_ member: JSONElement, to path: String, _ findings: inout [Finding]) {
        add(
            .misplacedKey, at: member,
            "\(label(member)) is not looked for here; in a push of this type it belongs at \(path).", &findings)
    }
}
