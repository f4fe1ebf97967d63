import JSON

/// The tables of keys in the form in which payloads are compared with them: one object, so that a payload costs one
/// access to a global.
final class PayloadTables: Sendable {
    static let shared = PayloadTables()

    /// The keys of `aps`, which must not stand beside it, then `aps` itself and `mdm`.
    let root: JSONNameTable
    let apsPlace: Int
    let mdmPlace: Int
    /// Names, rules and push types of ``APSKey``, at the places of the cases.
    let aps: JSONNameTable
    let apsRules: [ValueRule]
    let apsTypes: [PushTypeSet]
    /// Names and rules of ``AlertKey``.
    let alert: JSONNameTable
    let alertRules: [ValueRule]
    /// Names and rules of ``SoundKey``.
    let sound: JSONNameTable
    let soundRules: [ValueRule]
    /// The words that a key may have for its value, at the places of the cases.
    let interruptionLevels: JSONNameTable
    let events: JSONNameTable
    /// The push types whose payload must have `aps`.
    let typesWithAPS: PushTypeSet

    private init() {
        let apsNames = APSKey.rows.map(\.name)
        root = JSONNameTable(apsNames + ["aps", "mdm"])
        apsPlace = apsNames.count
        mdmPlace = apsNames.count + 1
        aps = JSONNameTable(apsNames)
        apsRules = APSKey.rows.map(\.rule)
        apsTypes = APSKey.rows.map(\.pushTypes)
        alert = JSONNameTable(AlertKey.rows.map(\.name))
        alertRules = AlertKey.rows.map(\.rule)
        sound = JSONNameTable(SoundKey.rows.map(\.name))
        soundRules = SoundKey.rows.map(\.rule)
        interruptionLevels = JSONNameTable(InterruptionLevel.names)
        events = JSONNameTable(LiveActivityEvent.names)
        typesWithAPS = PushType.allCases.filter(\.row.requiresAPS).reduce(into: PushTypeSet()) {
            $0.insert(PushTypeSet($1))
        }
    }
}
