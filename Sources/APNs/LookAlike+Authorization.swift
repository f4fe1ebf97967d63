import HTTP

/// What stands where `bearer <provider token>` should be.
extension LookAlike {
    private static let scheme = "Write authorization: bearer <provider token>."
    private static let makeToken =
        "Sign a JWT with the key (ES256; kid in the header, iss and iat in the claims) and send that."

    /// What is found in the field `authorization`. No row repeats the value, which may be a secret.
    static let authorizations: [LookAlike] =
        [
            LookAlike(
                "a name and password (Basic)", fix: "APNs knows no password. " + makeToken,
                { $0.begins("basic ", "digest ") }),
            LookAlike(
                "a key or token of FCM", fix: "Send it to FCM. For APNs: " + makeToken,
                { $0.begins("key=", "key ") || $0.has("ya29.") }),
            LookAlike(
                "a token of Web Push (VAPID)",
                fix: "Web Push is another protocol (RFC 8292) and not served here. For APNs: " + makeToken,
                { $0.begins("vapid ", "webpush ") }),
            LookAlike(
                "the private key itself",
                fix: "Never send the key, and revoke one that was sent. " + makeToken,
                { $0.has("-----begin", "private key", "migtagea", "mighagea", "mhccaqee", "ls0tls1crudjti") }),
            LookAlike(
                "the name of a key file", fix: "Read the file and sign with it. " + makeToken,
                { $0.lower.hasSuffix(".p8") }),
            LookAlike(
                "a token behind two schemes", fix: "Write bearer once: the library adds it too.",
                {
                    $0.begins(
                        "bearer bearer", "bearer: bearer", "bearer:bearer", "bearer authorization", "authorization:")
                }),
            LookAlike("a token without its scheme", fix: scheme, { $0.begins("eyj", "\"eyj", "'eyj", "b'eyj") }),
            LookAlike(
                "bearer with another character than a blank behind it", fix: scheme,
                {
                    $0.begins(
                        "bearer:", "bearer=", "bearer\t", "bearer,", "bearer_", "bearer-", "bearereyj", "bearer\"",
                        "bearer'")
                }),
            LookAlike(
                "a token behind another scheme", fix: scheme,
                {
                    $0.begins(
                        "token ", "jwt ", "apikey ", "api-key ", "apns ", "apple ", "oauth ", "bear ", "berer ",
                        "beaer ")
                }),
            LookAlike(
                "bearer without a token behind it",
                fix: "Look at what made the token: it gave nothing. " + makeToken, { $0.isOne(of: "bearer", "bearer ") }
            ),
        ]
        + ofAnything.map { row in
            // What is said of any value is said of the token behind the scheme.
            LookAlike(row.name, fix: row.fix, { row.matches(Sample($0.credentials)) })
        } + [
            LookAlike(
                "a token cut into lines or words", fix: "Take line breaks and blanks out of the token.",
                { $0.credentials.contains(where: \.isWhitespace) }),
            LookAlike(
                "a device token", fix: "Put the device token into the path, and a provider token here. " + makeToken,
                {
                    let token = Sample($0.credentials); return token.isHex && token.text.utf8.count >= 64
                }),
            LookAlike(
                "a key id or a team id", fix: "The ids stand inside the token. " + makeToken,
                {
                    let token = Sample($0.credentials)
                    return token.text.utf8.count == 10 && token.consists { $0.isHexDigit || ($0 | 0x20) &- 97 < 26 }
                }),
            LookAlike(
                "a placeholder that nobody filled in", fix: "Put the provider token where the placeholder is.",
                { Sample($0.credentials).begins("<", "$", "{", "provider_token", "token", "jwt") && !$0.has("\"") }),
            LookAlike(
                "the claims of a token as JSON", fix: "Sign the claims. " + makeToken,
                { Sample($0.credentials).begins("{") }),
            LookAlike(
                "a token with %-escapes", fix: "Write the token as it is; base64url needs no escapes.",
                { $0.credentials.contains("%") }),
            LookAlike(
                "a token that was never signed, or cut off",
                fix: "Send all three parts, the signature last. " + makeToken,
                {
                    $0.credentials.hasPrefix("eyJ")
                        && ($0.credentials.filter { $0 == "." }.count < 2 || $0.credentials.hasSuffix("."))
                }),
            LookAlike(
                "an encrypted token (JWE)", fix: "Send a signed token (JWS) of three parts. " + makeToken,
                { $0.credentials.filter { $0 == "." }.count == 4 }),
        ]

    /// What is known of other algorithms.
    static let algorithms: [LookAlike] = [
        LookAlike(
            "ES256 in other letters", fix: "Write ES256 in capitals.",
            { $0.isOne(of: "es256", "sha256", "ecdsa", "ecdsa256", "p-256", "p256", "es-256") }),
        LookAlike(
            "a token that nobody signed",
            fix: "Sign the token with ES256 and the .p8 file; APNs takes no unsigned one.", { $0.isOne(of: "none", "") }
        ),
        LookAlike(
            "HMAC, which takes a secret and not a key",
            fix: "Choose ES256 in the library, and give it the .p8 file as a private key.", { $0.begins("hs") }),
        LookAlike(
            "RSA, which no .p8 file of Apple's is",
            fix: "Choose ES256 in the library, and sign with the .p8 file of the developer account.",
            { $0.begins("rs", "ps") }),
        LookAlike(
            "ECDSA over another curve or hash", fix: "Choose ES256: SHA-256 over the P-256 key of the .p8 file.",
            { $0.begins("es") }),
        LookAlike(
            "an Ed25519 signature", fix: "Choose ES256: SHA-256 over the P-256 key of the .p8 file.",
            { $0.begins("ed") }),
    ]

    /// What is found in place of a key id or a team id.
    static let identifiers: [LookAlike] =
        ofAnything + [
            LookAlike(
                "the name of a key file", fix: "Take the ten characters between AuthKey_ and .p8.",
                { $0.begins("authkey") || $0.lower.hasSuffix(".p8") }),
            LookAlike(
                "a bundle id",
                fix:
                    "Write the id of ten letters and digits that the developer account shows; the bundle id is the apns-topic.",
                { $0.text.contains(".") && !$0.text.contains("@") }),
            LookAlike(
                "an e-mail address", fix: "Write the id of ten letters and digits that the developer account shows.",
                { $0.text.contains("@") }),
            LookAlike("an id with blanks around it", fix: "Trim the id.", { $0.text.contains(where: \.isWhitespace) }),
            LookAlike(
                "a UUID, such as the issuer id of App Store Connect",
                fix: "Write the id of ten characters of the developer account; App Store Connect's keys are others.",
                { $0.isUUID }),
            LookAlike(
                "an id in lower case", fix: "Write the id in capitals, as the developer account shows it.",
                { $0.text != $0.text.uppercased() && $0.text.utf8.count == 10 }),
            LookAlike(
                "the name of a team or company", fix: "Write the team's id of ten characters, not its name.",
                { $0.text.utf8.count != 10 }),
        ]
}

extension LookAlike.Sample {
    /// What stands behind the scheme.
    fileprivate var credentials: String {
        guard let blank = text.firstIndex(of: " ") else { return "" }
        return String(text[blank...].drop { $0 == " " })
    }
}
