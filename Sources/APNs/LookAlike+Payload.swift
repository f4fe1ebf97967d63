import JSON

/// What stands where a payload for APNs should be.
extension LookAlike {
    private static let encode = "Give the payload to a JSON encoder, once, and send its bytes as they are."

    /// What is found where JSON should be, by the first bytes.
    static let payloadTexts: [LookAlike] = [
        LookAlike(
            "gzip", fix: "Send the payload uncompressed; APNs takes no compressed body.",
            { $0.text.unicodeScalars.first == "\u{1F}" }),
        LookAlike(
            "JSON behind a byte order mark", fix: "Write the payload as UTF-8 without a byte order mark.",
            { $0.text.unicodeScalars.first == "\u{FEFF}" }),
        LookAlike(
            "UTF-16", fix: "Encode the payload as UTF-8.",
            { sample in
                let bytes = sample.text.utf8
                let isMarked = sample.text.unicodeScalars.first == "\u{FFFD}" && bytes.contains(0)
                return isMarked || bytes.dropFirst().first == 0
                    || bytes.first == 0 && bytes.dropFirst().first == UInt8(ascii: "{")
            }),
        LookAlike(
            "a frame of the legacy binary protocol, which ended in 2021",
            fix: "Send the JSON alone, as the body of a POST over HTTP/2.",
            { ($0.text.utf8.first ?? 32) <= 2 }),
        LookAlike(
            "a Python dictionary", fix: "Write it with json.dumps, not with str: JSON has double quotation marks.",
            { $0.begins("{'", "{u'", "b'", "b\"") }),
        LookAlike(
            "an object of JavaScript", fix: "Write it with JSON.stringify.",
            { $0.begins("[object", "{aps:", "{ aps:", "{\n  aps:") }),
        LookAlike("a Ruby hash", fix: "Write it with to_json.", { $0.has("=>") || $0.begins("{:", "#<") }),
        LookAlike(
            "a PHP array", fix: "Write it with json_encode.",
            { $0.begins("array(", "array (", "a:1:{", "a:2:{", "array\n") }),
        LookAlike(
            "a Java map", fix: "Write it with a JSON library, not with toString().", { $0.begins("{aps=", "{ aps=") }),
        LookAlike("a Go map", fix: "Write it with json.Marshal, not with %v.", { $0.begins("map[", "&{", "&map[") }),
        LookAlike(
            "a Swift dictionary", fix: "Write it with JSONEncoder or JSONSerialization.",
            { $0.begins("[\"aps\"", "[anyhashable") }),
        LookAlike(
            "the description of an NSDictionary", fix: "Write it with JSONSerialization.",
            { $0.begins("{\n    aps =", "{ aps =", "{\n    \"aps\" =") }),
        LookAlike(
            "a form (application/x-www-form-urlencoded)", fix: encode,
            { $0.begins("payload=", "aps=", "aps%5b", "aps[", "%7b", "body=", "data=", "message=", "json=") }),
        LookAlike("a multipart form", fix: encode, { $0.begins("--") }),
        LookAlike("XML or HTML", fix: encode, { $0.begins("<") }),
        LookAlike(
            "the name of a file", fix: "Send the content of the file; with curl: --data-binary @payload.json.",
            { $0.begins("@", "/", "./") || $0.lower.hasSuffix(".json") || $0.lower.hasSuffix(".apns") }),
        LookAlike(
            "JSON with quotation marks of a word processor", fix: "Write the quotation marks of JSON: \".",
            { $0.text.contains("\u{201C}") || $0.text.contains("\u{201D}") }),
        LookAlike(
            "JSON with escaped quotation marks", fix: "Encode once: the quotation marks were escaped a second time.",
            { $0.begins("{\\\"") }),
        LookAlike("JSON in quotes of a shell", fix: "Take the outer quotes away.", { $0.begins("'{") }),
        LookAlike("the path of a device", fix: "Put the payload into the body.", { $0.begins("post ", "http/") }),
        LookAlike(
            "the word for an absent value", fix: "Look for where the payload is made: it was absent.",
            { $0.isOne(of: "undefined", "none", "nil", "nan") }),
        LookAlike(
            "base64", fix: "Send the JSON itself, not its base64.", { $0.begins("eyj", "ey") && !$0.text.contains("{") }
        ),
    ]

    /// An envelope of another service, by the members that it has.
    private struct Envelope {
        /// The members of which all are there.
        let members: [String]
        let name: String
        let fix: String
    }

    private static let sns =
        "Publish it to SNS; to APNs send the JSON that its member APNS or APNS_SANDBOX holds as text."
    private static let fcm = "Send it to FCM; to APNs send what is for apns.payload there: {\"aps\": …}."
    private static let expo =
        "Send it to Expo's push service; to APNs send {\"aps\": {\"alert\": {\"title\": …, \"body\": …}}}."
    private static let inner = "Send the inner object alone, so that aps stands at the top."

    /// What is found where `aps` should be.
    private static let envelopes: [Envelope] = [
        Envelope(members: ["APNS"], name: "a message of Amazon SNS", fix: sns),
        Envelope(members: ["APNS_SANDBOX"], name: "a message of Amazon SNS", fix: sns),
        Envelope(members: ["APNS_VOIP"], name: "a message of Amazon SNS", fix: sns),
        Envelope(members: ["APNS_VOIP_SANDBOX"], name: "a message of Amazon SNS", fix: sns),
        Envelope(members: ["default", "GCM"], name: "a message of Amazon SNS", fix: sns),
        Envelope(members: ["TargetArn"], name: "a request to Amazon SNS", fix: sns),
        Envelope(members: ["TopicArn"], name: "a notification of Amazon SNS", fix: sns),
        Envelope(members: ["message", "validate_only"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["message.token"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["message.topic"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["message.notification"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["message.apns"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["message.data"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["registration_ids"], name: "a message of FCM's old interface", fix: fcm),
        Envelope(members: ["to", "notification"], name: "a message of FCM's old interface", fix: fcm),
        Envelope(members: ["to", "data", "priority"], name: "a message of FCM's old interface", fix: fcm),
        Envelope(members: ["apns.payload"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["apns", "notification"], name: "a message of FCM", fix: fcm),
        Envelope(members: ["to", "title"], name: "a message of Expo", fix: expo),
        Envelope(members: ["to", "body"], name: "a message of Expo", fix: expo),
        Envelope(members: ["to", "sound"], name: "a message of Expo", fix: expo),
        Envelope(
            members: ["app_id", "contents"], name: "a message of OneSignal",
            fix: "Send it to OneSignal; to APNs send {\"aps\": …}."),
        Envelope(
            members: ["audience", "notification"], name: "a message of Airship",
            fix: "Send it to Airship; to APNs send {\"aps\": …}."),
        Envelope(
            members: ["interests", "apns"], name: "a message of Pusher Beams",
            fix: "Send it to Pusher; to APNs send what its member apns holds."),
        Envelope(members: ["notification.title"], name: "a message of Web Push or FCM", fix: fcm),
        Envelope(members: ["notification.body"], name: "a message of Web Push or FCM", fix: fcm),
        Envelope(members: ["payload.aps"], name: "a payload inside another object", fix: inner),
        Envelope(members: ["data.aps"], name: "a payload inside another object", fix: inner),
        Envelope(members: ["body.aps"], name: "a payload inside another object", fix: inner),
        Envelope(members: ["notification.aps"], name: "a payload inside another object", fix: inner),
        Envelope(members: ["message.aps"], name: "a payload inside another object", fix: inner),
        Envelope(members: ["apns.aps"], name: "a payload inside another object", fix: inner),
        Envelope(
            members: ["rawPayload"], name: "a notification object of a client library",
            fix: "Send what the library makes of it (its payload), not the object itself."),
        Envelope(
            members: ["deviceToken", "payload"], name: "a notification object of a client library",
            fix: "Send what the library makes of it (its payload), not the object itself."),
        Envelope(
            members: ["alert"], name: "the content of aps without aps around it",
            fix: "Put these keys into an object named aps."),
        Envelope(
            members: ["content-available"], name: "the content of aps without aps around it",
            fix: "Put these keys into an object named aps."),
    ]

    /// Name and fix of what an object without `aps` looks like.
    static func envelope(_ document: JSONDocument) -> (name: String, fix: String)? {
        for row in envelopes where row.members.allSatisfy({ document.element(at: $0) != nil }) {
            return (row.name, row.fix)
        }
        return nil
    }
}
