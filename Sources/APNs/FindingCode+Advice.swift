/// Findings that are advice about payloads: what is accepted, but will hardly do what the sender meant.
extension FindingCode {
    /// All of them, in the order of their codes.
    static let adviceCodes: [FindingCode] = [
        .pushTypeMissing, .backgroundVisible, .nearSizeLimit, .localizationMismatch, .misspeltKey, .apsKeyOutside,
        .nullValue, .flagNotOne, .keyOfOtherType, .keyOfOtherEvent, .milliseconds, .unknownKey, .misplacedKey,
        .duplicateKey, .mixedNames, .nothingShown, .mutableWithoutAlert, .volumeWithoutCritical,
        .backgroundNotWaking, .contentNotChanged, .priorityOfType, .walletPayload, .mdmElsewhere, .moreFindings,
        .websiteArguments,
        .websiteAlert, .emptyValue, .alertNotForPeople, .fileProviderKey, .numberBeyondDouble,
    ]

    // MARK: - The request and the payload

    package static let pushTypeMissing = FindingCode(
        "L006", .warning, expected: "the header apns-push-type",
        fix: "Send apns-push-type; watchOS needs it, and it is recommended everywhere.", source: ApplePage.sending)
    package static let backgroundVisible = FindingCode(
        "L007", .warning, expected: "no alert, badge and sound, and priority 5, in a background push",
        fix: "Send what the user should see as an alert push, and background pushes with apns-priority 5.",
        source: ApplePage.background)
    package static let nearSizeLimit = FindingCode(
        "L010", .warning, expected: "at most 90 % of the payload's size limit",
        fix: "Send less: let the app fetch what is large.", source: ApplePage.payload)
    package static let localizationMismatch = FindingCode(
        "L013", .warning, expected: "as many arguments as the localised text has placeholders",
        fix: "Send the key together with one argument for each placeholder.", source: ApplePage.payload)
    package static let misspeltKey = FindingCode(
        "L014", .warning, expected: "a key of Apple's table", fix: "Correct the spelling.", source: ApplePage.payload)
    package static let apsKeyOutside = FindingCode(
        "L019", .warning, expected: "Apple's keys inside aps, and other names for the app's own",
        fix: "Move the key into aps, or give the app's key another name.", source: ApplePage.payload)

    // MARK: - Values and keys

    package static let nullValue = FindingCode(
        "P040", .warning, expected: "a value, or no such key", fix: "Leave the key out instead of sending null.",
        source: ApplePage.payload)
    package static let flagNotOne = FindingCode(
        "P041", .warning, expected: "the value that Apple's table gives: 1, or true for content-changed",
        fix: "Send that value, or leave the key out.", source: ApplePage.payload)
    package static let keyOfOtherType = FindingCode(
        "P042", .warning, expected: "a key that means something in a push of this type",
        fix: "Leave the key out, or send the push as the type that the key belongs to.", source: ApplePage.payload)
    package static let keyOfOtherEvent = FindingCode(
        "P043", .warning, expected: "a key that means something with this event", fix: "Leave the key out.",
        source: ApplePage.liveActivities)
    package static let milliseconds = FindingCode(
        "P044", .warning, expected: "seconds since 1970", fix: "Divide the value by 1000.",
        source: ApplePage.liveActivities)
    package static let unknownKey = FindingCode(
        "P045", .warning, expected: "a key of Apple's table",
        fix: "Put the app's own keys beside aps; the device ignores them inside.", source: ApplePage.payload)
    package static let misplacedKey = FindingCode(
        "P046", .warning, expected: "the key where Apple's table has it", fix: "Move the key.",
        source: ApplePage.payload)
    package static let duplicateKey = FindingCode(
        "P047", .warning, expected: "each name once in an object",
        fix: "Send the key once; which one a device takes is left to chance.", source: ApplePage.payload)
    package static let mixedNames = FindingCode(
        "P048", .warning, expected: "one style of names for the app's own keys",
        fix: "Name all of the app's keys in one style.", source: ApplePage.payload)

    // MARK: - Meaning

    package static let nothingShown = FindingCode(
        "P049", .warning, expected: "alert, badge or sound in an alert push",
        fix: "Add alert, badge or sound; to wake the app only, send a background push with content-available.",
        source: ApplePage.payload)
    package static let mutableWithoutAlert = FindingCode(
        "P050", .warning, expected: "an alert with a title, subtitle or body beside mutable-content",
        fix: "Add the alert that the extension is to change, or leave mutable-content out.", source: ApplePage.payload)
    package static let volumeWithoutCritical = FindingCode(
        "P051", .warning, expected: "critical 1 beside volume",
        fix: "Add critical with the value 1, or leave volume out.", source: ApplePage.payload)
    package static let backgroundNotWaking = FindingCode(
        "P052", .warning, expected: "content-available with the value 1 in a background push",
        fix: "Add content-available with the value 1 to aps.", source: ApplePage.background)
    package static let contentNotChanged = FindingCode(
        "P053", .warning, expected: "content-changed with the value true in a widgets or controls push",
        fix: "Add content-changed with the value true to aps.", source: ApplePage.widgets)
    package static let priorityOfType = FindingCode(
        "P054", .warning, expected: "a priority that Apple names for the push type",
        fix: "Send apns-priority 10 (or 5, where the type has it).", source: ApplePage.sending)
    package static let walletPayload = FindingCode(
        "P055", .warning, expected: "{} for a Wallet pass",
        fix: "Send an empty object; Wallet asks the pass's web service for what has changed.",
        source: ApplePage.payload)
    package static let mdmElsewhere = FindingCode(
        "P056", .warning, expected: "mdm in a push of type mdm only",
        fix: "Send apns-push-type mdm, or give the app's key another name.", source: ApplePage.deviceManagement)
    package static let moreFindings = FindingCode(
        "P057", .warning, expected: "few remarks about one payload",
        fix: "Mend what is listed, then look again.", source: ApplePage.payload)
    package static let emptyValue = FindingCode(
        "P060", .warning, expected: "something in a key that the push needs",
        fix: "Give the key its value: an alert has a title and a body, attributes-type the name of a Swift type.",
        source: ApplePage.liveActivities)
    package static let alertNotForPeople = FindingCode(
        "P061", .warning, expected: "a text for people, or an object of title and body",
        fix: "Send alert as a JSON object, not as a string with JSON in it, and title and body as plain texts.",
        source: ApplePage.payload)
    package static let numberBeyondDouble = FindingCode(
        "P063", .warning, expected: "a number that a double or an integer of 64 bits holds",
        fix: "Send long numbers, such as ids, as strings.", source: ApplePage.payload)

    // MARK: - Websites and file providers

    package static let websiteArguments = FindingCode(
        "P058", .warning, expected: "url-args in a push to a website (web.…)",
        fix: "Add url-args to aps: one string for each placeholder of urlFormatString, [] when it has none.",
        source: ApplePage.payload)
    package static let websiteAlert = FindingCode(
        "P059", .warning, expected: "alert as an object with title and body in a push to a website (web.…)",
        fix: "Send alert as an object with title, body and, where the site has one, action.", source: ApplePage.payload)
    package static let fileProviderKey = FindingCode(
        "P062", .warning, expected: "container-identifier and domain as strings beside aps",
        fix: "Add container-identifier, such as NSFileProviderWorkingSetContainerItemIdentifier, and domain.",
        source: ApplePage.fileProvider)
}
