import HTTP

/// What stands where a device token, a topic or another field should be.
extension LookAlike {
    private static let hexFix =
        "In the app make the digits from the bytes: deviceToken.map { String(format: \"%02x\", $0) }.joined()."

    /// What is found in place of a device token.
    package static let deviceTokens: [LookAlike] =
        ofAnything + [
            LookAlike(
                "the description of NSData since iOS 13, which leaves most of the token out", fix: hexFix,
                { $0.has("length", "bytes") && $0.has("0x") && $0.begins("{", "%7b", "length") }),
            LookAlike(
                "the description of Data, which has nothing of the token", fix: hexFix,
                { $0.lower.hasSuffix(" bytes") || $0.lower.hasSuffix("%20bytes") }),
            LookAlike(
                "the description of NSData before iOS 13",
                fix: "Take the angle brackets and the blanks away. " + hexFix,
                {
                    ($0.stands(between: "<", ">") || $0.begins("%3c", "<")) && ($0.hexDigits(besides: "<> ") ?? 0) >= 16
                        || $0.begins("%3c")
                }),
            LookAlike(
                "an Expo push token",
                fix: "Send Expo tokens to Expo's push service; for APNs the app takes the token of "
                    + "getDevicePushTokenAsync().",
                { $0.begins("exponentpushtoken", "expopushtoken") }),
            LookAlike(
                "an FCM registration token",
                fix: "Send FCM tokens to FCM; for APNs the app takes Messaging.messaging().apnsToken, in hexadecimal.",
                { $0.has(":apa91", "%3aapa91") || $0.begins("apa91") }),
            LookAlike(
                "a JSON Web Token",
                fix:
                    "Put the provider token into the header authorization: bearer <token>, and the device token into the "
                    + "path.", { $0.isJWT }),
            LookAlike(
                "a Web Push subscription or another address",
                fix:
                    "Web Push is another protocol (RFC 8030) and not served here; an app's device token is hexadecimal.",
                { $0.begins("http:", "https:", "http%3a", "https%3a", "wss:", "apns:") }),
            LookAlike(
                "a UUID",
                fix:
                    "Send the token that the app got in didRegisterForRemoteNotificationsWithDeviceToken, not an id of the "
                    + "device, the user or a push provider.",
                { $0.isUUID || $0.stands(between: "{", "}") && $0.has("-") }),
            LookAlike(
                "hexadecimal digits behind 0x", fix: "Take 0x away.",
                { $0.begins("0x", "\\x") && ($0.hexDigits(besides: "xX\\, ") ?? 0) > 0 }),
            LookAlike(
                "hexadecimal digits with separators", fix: "Write the digits one after the other, without separators.",
                { sample in
                    sample.hexDigits(besides: ":-,_. ;").map { $0 >= 16 && $0 < sample.text.utf8.count } ?? false
                }),
            LookAlike(
                "a list of bytes", fix: "Write the bytes in hexadecimal, two digits each, without commas. " + hexFix,
                { $0.begins("[") && $0.consists { $0 &- 48 < 10 || " ,[]-xXabcdefABCDEF".utf8.contains($0) } }),
            LookAlike(
                "JSON", fix: "Send the token alone, not the object or the list that holds it.",
                { $0.begins("{\"", "[\"", "%7b", "%5b") }),
            LookAlike("an e-mail address", fix: "Send a device token, not an id of the user.", { $0.has("@", "%40") }),
            LookAlike(
                "a placeholder that nobody filled in", fix: "Put the device token where the placeholder is.",
                {
                    $0.has("token") || $0.stands(between: "<", ">") || $0.stands(between: "{", "}")
                        || $0.begins(":", "$")
                }),
            LookAlike(
                "a text with blanks or line breaks around it", fix: "Trim the token before it is sent.",
                {
                    $0.text.contains(where: \.isWhitespace) && ($0.hexDigits(besides: " \t\r\n") ?? 0) >= 16
                        || $0.has("%20", "%0a", "%0d", "%09")
                }),
            LookAlike(
                "a device token with %-escapes", fix: "Write the digits as they are; a token needs no escapes.",
                { $0.text.contains("%") }),
            LookAlike(
                "a number, such as the id of a row or a user",
                fix: "Send the device token that the app registered, not the id under which it is stored.",
                { $0.isDecimal && $0.text.utf8.count <= 20 }),
            LookAlike(
                "32 digits: a hash, a UUID without hyphens, or half of a token",
                fix: "Send the whole token; widen the column that cut it, and store no hash.",
                { $0.isHex && $0.text.utf8.count == 32 }),
            LookAlike(
                "a token that was cut off",
                fix: "Send the whole token: 64 digits for most, 160 for Live Activities; widen the column that cut it.",
                { $0.isHex && $0.text.utf8.count < 64 }),
            LookAlike(
                "several tokens in one path", fix: "Send a request to each device token.",
                { ($0.hexDigits(besides: ",; ") ?? 0) > 200 || $0.isHex && $0.text.utf8.count > 200 }),
            LookAlike(
                "base64", fix: "Decode the base64, and write the bytes in hexadecimal: 32 bytes are 64 digits.",
                { $0.isBase64 && $0.text.utf8.count >= 40 || $0.has("%2b", "%2f", "%3d") }),
        ]

    /// What is found behind `/3/device/` where a device token alone should stand.
    static let pathEnds: [LookAlike] =
        [
            LookAlike(
                "a device token with a slash behind it", fix: "Take the slash away.",
                { $0.lower.hasSuffix("/") && Sample(String($0.text.dropLast())).isHex }),
            LookAlike(
                "a device token with a query or a fragment behind it",
                fix: "Take it away; what the query says belongs into header fields.",
                { $0.text.first?.isHexDigit == true && ($0.text.contains("?") || $0.text.contains("#")) }),
        ] + deviceTokens

    /// What is found in place of the paths of APNs.
    static let paths: [LookAlike] = [
        LookAlike(
            "a path of FCM", fix: "Send it to FCM; pushes to APNs go to /3/device/<device token>.",
            { $0.has("/fcm/", "messages:send", "/projects/") }),
        LookAlike(
            "a path of Web Push",
            fix:
                "Web Push is another protocol (RFC 8030) and not served; pushes to apps go to /3/device/<device token>.",
            { $0.has("/wpush/", "/push/", "web.push", "/subscription") }),
        LookAlike(
            "an address instead of a path", fix: "Send the path alone in :path, and the host in :authority.",
            { $0.begins("http://", "https://") }),
        LookAlike(
            "the path of a device push in another spelling", fix: "Send device pushes to /3/device/<device token>.",
            { $0.has("/device") || $0.begins("3/", "/v3/", "/2/", "/3/") }),
        LookAlike(
            "a path of the admin API", fix: "Send it to the admin port; the server prints its address at start.",
            { $0.begins("/v1/") }),
        LookAlike(
            "a path of broadcasts or channels in another spelling",
            fix: "Broadcasts go to /4/broadcasts/apps/<bundle id>, channels to /1/apps/<bundle id>/channels.",
            { $0.has("broadcast", "channel") }),
    ]

    /// What is found in place of a topic.
    package static let topics: [LookAlike] =
        ofAnything + [
            LookAlike(
                "a bundle id in angle brackets, which in documents mark a placeholder", fix: "Take the brackets away.",
                { $0.stands(between: "<", ">") && $0.has(".") }),
            LookAlike(
                "a placeholder that nobody filled in", fix: "Put the app's bundle id where the placeholder is.",
                {
                    $0.has("<", ">", "${", "$(", "{", "$")
                        || $0.isOne(of: "topic", "bundle_id", "bundleid", "bundle-id")
                }),
            LookAlike(
                "a wildcard App ID", fix: "Send the bundle id of one app, without *.", { $0.text.contains("*") }),
            LookAlike(
                "an address", fix: "Send the bundle id of the app, such as com.example.app.",
                { $0.has("://", "www.") || $0.begins("mailto:") }),
            LookAlike(
                "a topic of FCM", fix: "Send the bundle id of the app; APNs has no topics that devices subscribe to.",
                { $0.begins("/topics/") || $0.has("' in topics") }),
            LookAlike("an e-mail address", fix: "Send the bundle id of the app.", { $0.text.contains("@") }),
            LookAlike(
                "several topics", fix: "Send a request for each topic.",
                { $0.text.contains(",") || $0.text.contains(";") || $0.text.contains("|") }),
            LookAlike(
                "a bundle id with blanks or line breaks", fix: "Trim the bundle id before it is sent.",
                { $0.text.contains(where: \.isWhitespace) }),
            LookAlike(
                "the name of an app, not its bundle id", fix: "Send the bundle id, such as com.example.app.",
                { !$0.text.contains(".") }),
            LookAlike(
                "a bundle id with a character that only looks like a letter or a hyphen",
                fix: "Write the bundle id anew with letters, digits, hyphens and dots of ASCII.",
                { $0.text.utf8.contains { $0 >= 0x80 } }),
        ]

    /// What is found in place of whole seconds.
    static let expirations: [LookAlike] =
        ofAnything + [
            LookAlike(
                "a negative number", fix: "Send 0 for a single attempt; there is no value for \"for ever\".",
                { $0.begins("-") }),
            LookAlike(
                "seconds with a fraction",
                fix: "Cut the fraction off: int(time.time()) + 3600, Math.floor(Date.now() / 1000).",
                { $0.consists { $0 &- 48 < 10 || $0 == 46 || $0 == 101 || $0 == 69 || $0 == 43 } && !$0.isDecimal }),
            LookAlike(
                "a date as text", fix: "Send whole seconds since 1970 (UTC), as date +%s prints them.",
                { $0.has("-", ":", "gmt", "utc", "/", "today", "tomorrow", "now") }),
            LookAlike(
                "a length of time", fix: "Send the time at which it ends: now plus the length, in seconds since 1970.",
                { $0.text.utf8.first.map { $0 &- 48 < 10 || $0 == 43 || $0 == UInt8(ascii: "P") } ?? false }),
        ]

    /// What is found in place of a priority.
    static let priorities: [LookAlike] =
        ofAnything + [
            LookAlike(
                "a priority of FCM", fix: "Send 10 where FCM says high, and 5 where it says normal.",
                { $0.isOne(of: "high", "normal", "low", "default", "urgent", "immediate", "very-low") }),
            LookAlike(
                "a number in another form", fix: "Send 10, 5 or 1 as plain digits.",
                { $0.consists { $0 &- 48 < 10 || $0 == 46 || $0 == 32 || $0 == 43 } && !$0.isDecimal || $0.begins("0") }
            ),
        ]

    /// What is found in place of an id.
    static let ids: [LookAlike] =
        ofAnything + [
            LookAlike(
                "a UUID in brackets or behind urn:uuid:", fix: "Send the 36 characters of the UUID alone.",
                { $0.stands(between: "{", "}") || $0.stands(between: "(", ")") || $0.begins("urn:uuid:") }),
            LookAlike(
                "a UUID without its hyphens", fix: "Write it in the form 8-4-4-4-12, with hyphens.",
                { $0.isHex && $0.text.utf8.count == 32 }),
        ]

    /// What is found in place of a push type.
    static let pushTypes: [LookAlike] =
        ofAnything + [
            LookAlike(
                "the word for a push that shows nothing", fix: "Send apns-push-type: background.",
                {
                    $0.isOne(
                        of: "silent", "data", "content-available", "contentavailable", "backgroundupdate", "update")
                }),
            LookAlike(
                "the word for a push that shows something", fix: "Send apns-push-type: alert.",
                {
                    $0.isOne(
                        of: "notification", "normal", "default", "message", "push", "display", "banner", "badge",
                        "sound")
                }),
        ]
}
