import APNs
import Simulation

/// The members of a state: of a server, of a namespace in it, of keys and apps.
enum StateFields {
    /// Where a server at its usual address gives the schema.
    static let schemaAddress = "http://127.0.0.1:2198/schema/config.json"

    static let schema = Parameter(
        "$schema", .text, "The address of the schema, for editors.", example: schemaAddress)
    static let profile = Parameter(
        "profile", .word(Profile.allCases.map(\.rawValue)), "How pushes are judged.", example: "strict",
        standard: "strict")
    static let seed = Parameter(
        "seed", .integer(0...Int.max), "The number behind all random decisions.", example: "7", standard: "random")
    static let unknownDevices = Parameter(
        "unknownDevices", .word(["accept", "reject"]), "What becomes of device tokens that are not registered.",
        example: "reject", standard: "accept")
    static let unknownKeys = Parameter(
        "unknownKeys", .word(["accept", "reject"]), "What becomes of tokens of keys that are not registered.",
        example: "reject", standard: "reject")
    static let keys = Parameter(
        "keys", .form("an array of keys, each with keyId and one of p8, publicKey and (in a file) file"),
        "The keys that senders sign with.", example: "[…]")
    static let devices = Parameter(
        "devices", .form("an array of devices, each with its token"), "The devices.", example: "[…]")
    static let rules = Parameter("rules", .form("an array of rules"), "The scripted outcomes.", example: "[…]")
    static let apps = Parameter(
        "apps", .form("an object of apps by bundle id"), "What previews show of apps.", example: "{…}")
    static let namespaces = Parameter(
        "namespaces", .form("an array of namespaces, each with its name"),
        "Namespaces, each with topics and members of its own as above.", example: "[…]")

    /// The members of a server's state.
    static let server = [
        schema, profile, seed, unknownDevices, unknownKeys, keys, devices, rules, apps, namespaces,
    ]
    /// The members of a namespace in it.
    static let namespace = [
        NamespaceResource.name, NamespaceResource.topics, NamespaceResource.lifetime, profile, seed, unknownDevices,
        unknownKeys, keys, devices, rules, apps,
    ]

    static let file = Parameter(
        "file", .text, "A `.p8` file, from where the configuration file is.", example: "AuthKey_ABC123DEFG.p8")
    /// The members of a key. `hasPrivateKey` is what answers show; it says nothing new.
    static let key = [
        KeyResource.keyID, KeyResource.teamID, KeyResource.topics, KeyResource.environments, KeyResource.relatedKeyID,
        KeyResource.revoked, KeyResource.p8, KeyResource.publicKey, file,
    ]
    /// What answers show of devices beside what can be said of them.
    static let shownOfDevices = [
        Parameter("registeredAt", .text, "Since when it is registered.", example: "…"),
        Parameter("number", .integer(0...Int.max), "Its place in the order of registration.", example: "1"),
    ]

    static let appName = Parameter("name", .text, "The name under the icon.", example: "Acme")
    static let appIcon = Parameter("icon", .text, "The file of the icon.", example: "icon.png")
    static let appStrings = Parameter("strings", .text, "The file of localized texts.", example: "en.strings")
    /// The members of an app.
    static let app = [appName, appIcon, appStrings]

    /// The members without which their object is refused.
    static let required = [KeyResource.keyID, DeviceFields.token, NamespaceResource.name]
    /// The members that an example leaves out, since another says the same or they would spoil it.
    static let alternatives = [
        KeyResource.relatedKeyID, KeyResource.revoked, KeyResource.p8, KeyResource.publicKey,
    ]
    /// Values of members, by name, whose examples in the reference are too short to be read.
    static let samples = ["token": String(repeating: "6f1e", count: 16)]
}
