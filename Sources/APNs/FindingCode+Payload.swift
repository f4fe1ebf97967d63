/// Findings about payloads that contradict Apple's contract. Advice is in `FindingCode+Advice.swift`.
extension FindingCode {
    /// All findings about payloads, the grave ones first.
    package static let payloadCodes: [FindingCode] = contractCodes + adviceCodes

    private static let contractCodes: [FindingCode] = [
        .apsMissing, .apsNotObject, .mdmPayload, .badge, .text, .alertForm, .soundForm, .soundCritical, .soundVolume,
        .flag, .interruptionLevel, .relevanceScore, .seconds, .event, .object, .localizationArguments, .urlArguments,
        .contentChanged, .inputPushChannel, .localizableText, .number, .liveActivityKeyMissing, .broadcastStart,
    ]

    // MARK: - The whole payload

    package static let apsMissing = FindingCode(
        "P001", .error, expected: "an object aps, which this push type needs",
        fix: "Put Apple's keys in an object named aps, at the top of the payload.", source: ApplePage.payload)
    package static let apsNotObject = FindingCode(
        "P002", .error, expected: "an object aps", fix: "Make aps an object of Apple's keys.",
        source: ApplePage.payload)
    package static let mdmPayload = FindingCode(
        "P003", .error, expected: "{\"mdm\": \"<PushMagic>\"} and nothing else",
        fix: "Send only mdm, with the PushMagic string that the device gave in its TokenUpdate.",
        source: ApplePage.deviceManagement)

    // MARK: - Values of keys

    package static let badge = FindingCode(
        "P010", .error, expected: "a whole number of 0 or more",
        fix: "Send badge as a JSON integer; 0 takes the badge away.", source: ApplePage.payload)
    package static let text = FindingCode(
        "P011", .error, expected: "a string", fix: "Send the value as a JSON string.", source: ApplePage.payload)
    package static let alertForm = FindingCode(
        "P012", .error, expected: "an object with title and body, or a string",
        fix: "Send alert as an object of title, subtitle and body, or as a string.", source: ApplePage.payload)
    package static let soundForm = FindingCode(
        "P013", .error, expected: "the name of a sound, or an object of critical, name and volume",
        fix: "Send sound as \"default\", as a file's name, or as an object for a critical alert.",
        source: ApplePage.payload)
    package static let soundCritical = FindingCode(
        "P014", .error, expected: "the number 1 or 0", fix: "Send critical as 1, or leave it out.",
        source: ApplePage.payload)
    package static let soundVolume = FindingCode(
        "P015", .error, expected: "a number from 0 to 1", fix: "Send volume as a number from 0 (silent) to 1 (full).",
        source: ApplePage.payload)
    package static let flag = FindingCode(
        "P016", .error, expected: "the number 1", fix: "Send the number 1, or leave the key out.",
        source: ApplePage.payload)
    package static let interruptionLevel = FindingCode(
        "P017", .error, expected: "passive, active, time-sensitive or critical",
        fix: "Send one of the four levels, in lower case.", source: ApplePage.payload)
    package static let relevanceScore = FindingCode(
        "P018", .error, expected: "a number from 0 to 1; for a Live Activity any number",
        fix: "Send relevance-score as a number in that range.", source: ApplePage.payload)
    package static let seconds = FindingCode(
        "P019", .error, expected: "a number of seconds since 1970",
        fix: "Send the time as a JSON number: seconds since 1970 in UTC.", source: ApplePage.liveActivities)
    package static let event = FindingCode(
        "P020", .error, expected: "start, update or end", fix: "Send one of the three events, in lower case.",
        source: ApplePage.liveActivities)
    package static let object = FindingCode(
        "P021", .error, expected: "an object", fix: "Send the value as a JSON object that the app's type decodes.",
        source: ApplePage.liveActivities)
    package static let localizationArguments = FindingCode(
        "P022", .error, expected: "an array of strings",
        fix: "Send the arguments as strings, numbers too, in the order of the placeholders.",
        source: ApplePage.payload)
    package static let urlArguments = FindingCode(
        "P023", .error, expected: "an array of strings",
        fix: "Send one string for each placeholder of the website's urlFormatString.", source: ApplePage.payload)
    package static let contentChanged = FindingCode(
        "P024", .error, expected: "true", fix: "Send content-changed as true.", source: ApplePage.widgets)
    package static let inputPushChannel = FindingCode(
        "P025", .error, expected: "a channel id in base64",
        fix: "Send the apns-channel-id that APNs gave when the channel was created.",
        source: ApplePage.liveActivities)
    package static let localizableText = FindingCode(
        "P026", .error, expected: "a string, or an object of loc-key and loc-args",
        fix: "Send a string, or an object whose loc-key names a localised text.", source: ApplePage.liveActivities)
    package static let number = FindingCode(
        "P027", .error, expected: "a number", fix: "Send the value as a JSON number.", source: ApplePage.payload)

    // MARK: - Live Activities

    package static let liveActivityKeyMissing = FindingCode(
        "P030", .error,
        expected: "event and timestamp; unless it ends content-state; to start attributes-type, attributes and alert",
        fix: "Add the missing key to aps.", source: ApplePage.liveActivities)
    package static let broadcastStart = FindingCode(
        "P031", .error, expected: "update or end",
        fix: "Start the Live Activity with a push to the device's push-to-start token, then broadcast its updates.",
        source: ApplePage.broadcasts)
}
