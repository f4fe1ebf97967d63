import JSON

/// Takes the value of an `authorization` field apart.
struct ProviderTokenReader {
    private var findings: [Finding] = []
    private var document = JSONDocument()

    /// Reads the token; throws the first failed check.
    mutating func read(_ value: Span<UInt8>) throws(CheckFailure) -> ProviderToken {
        let start = try tokenStart(value)
        let token = value.extracting(droppingFirst: start)
        guard value.count <= ProviderToken.lengthLimit else {
            throw malformed(
                "at most \(ProviderToken.lengthLimit) bytes", "\(value.count) bytes",
                "The authorization header has \(value.count) bytes; this server reads \(ProviderToken.lengthLimit).")
        }
        let (first, second) = try dots(token)
        let header = try decode(token.extracting(0..<first), "header")
        let claims = try decode(token.extracting(first + 1..<second), "claims")
        let signature = try decode(token.extracting(second + 1..<token.count), "signature")
        let (algorithm, keyID) = try readHeader(header)
        let (teamID, issuedAt) = try readClaims(claims)
        if signature.count != 64, signature.count != 132 {
            note(.tokenDERSignature, "signature", "\(signature.count) bytes", "The token's signature is not r and s.")
        }
        var signed: [UInt8] = []
        signed.reserveCapacity(second)
        for position in 0..<second { signed.append(token[position]) }
        return ProviderToken(
            algorithm: algorithm, keyID: keyID, teamID: teamID, issuedAt: issuedAt, signedBytes: signed,
            signature: signature, findings: findings)
    }

    /// Where the token begins, behind `bearer` in any case and blanks.
    private mutating func tokenStart(_ value: Span<UInt8>) throws(CheckFailure) -> Int {
        let scheme: StaticString = "bearer"
        let length = scheme.utf8CodeUnitCount
        var isScheme = value.count > length && value[length] == UInt8(ascii: " ")
        if isScheme {
            for position in 0..<length {
                isScheme = unsafe isScheme && value[position] | 0x20 == scheme.utf8Start[position]
            }
        }
        guard isScheme else {
            throw CheckFailure(
                .authorizationPresent, .missingProviderToken, expected: "bearer <provider token>",
                actual: value.isEmpty ? "absent" : "another scheme",
                explanation: value.isEmpty
                    ? "There is no authorization header and no client certificate."
                    : "The authorization header is not \"bearer <provider token>\".")
        }
        var start = length
        while start < value.count, value[start] == UInt8(ascii: " ") { start += 1 }
        guard start < value.count else {
            throw CheckFailure(
                .authorizationPresent, .missingProviderToken, expected: "bearer <provider token>",
                actual: "bearer alone", explanation: "There is no token behind \"bearer\" in the authorization header.")
        }
        if !value.hasPrefix(scheme) {
            note(
                .tokenScheme, "authorization", value.extracting(first: length).shownText(),
                "The scheme is not written \"bearer\".")
        }
        return start
    }

    /// Where the two dots of a JWT are.
    private func dots(_ token: Span<UInt8>) throws(CheckFailure) -> (Int, Int) {
        var places: [Int] = []
        for position in 0..<token.count where token[position] == UInt8(ascii: ".") { places.append(position) }
        guard places.count == 2 else {
            throw malformed(
                "3 parts", "\(places.count + 1) parts",
                "The provider token has \(places.count + 1) part\(places.isEmpty ? "" : "s") between dots; a JWT has 3."
            )
        }
        return (places[0], places[1])
    }

    private mutating func decode(_ part: Span<UInt8>, _ name: String) throws(CheckFailure) -> [UInt8] {
        guard let decoded = ProviderTokenBase64.decode(part), !decoded.bytes.isEmpty else {
            throw malformed(
                "base64url", part.isEmpty ? "nothing" : "other characters or length",
                part.isEmpty
                    ? "The \(name) of the provider token is empty."
                    : "The \(name) of the provider token is not base64url.")
        }
        if decoded.isStandard {
            note(
                .tokenStandardBase64, name, "standard base64",
                "The \(name) of the provider token is written in standard base64 or with padding.")
        }
        return decoded.bytes
    }

    // MARK: The JSON inside

    private mutating func readHeader(_ bytes: [UInt8]) throws(CheckFailure) -> (ProviderToken.Algorithm, String) {
        let root = try object(bytes, "header")
        let algorithm = try text("alg", of: root, in: "header", expected: "ES256")
        let keyID = try id("kid", of: root, in: "header", name: "key id")
        switch algorithm {
        case "ES256": return (.es256, keyID)
        case "ES512":
            note(.tokenES512, "alg", "ES512", "The provider token is signed with ES512.")
            return (.es512, keyID)
        default:
            let shown = shorten(algorithm)
            throw malformed("ES256", shown, "The provider token's alg is \"\(shown)\"; APNs takes ES256 only.")
                .looking(like: Array(algorithm.utf8).span, in: LookAlike.algorithms)
        }
    }

    private mutating func readClaims(_ bytes: [UInt8]) throws(CheckFailure) -> (String, Double) {
        let root = try object(bytes, "claims")
        let teamID = try id("iss", of: root, in: "claims", name: "team id")
        guard let issuedAt = document.member("iat" as StaticString, of: root) else {
            throw malformed(
                "iat", "absent", "The provider token has no iat, the time when it was issued.", fix: Self.secondsFix)
        }
        return (teamID, try seconds(issuedAt))
    }

    private mutating func object(_ bytes: [UInt8], _ part: String) throws(CheckFailure) -> JSONElement {
        if let fault = document.parse(bytes, in: 0..<bytes.count) {
            throw malformed(
                "a JSON object", "no JSON",
                "The \(part) of the provider token is not JSON: \(fault.message) at byte \(fault.offset).")
        }
        guard document.kind(document.root) == .object else {
            throw malformed(
                "a JSON object", "\(document.kind(document.root))",
                "The \(part) of the provider token is no JSON object.")
        }
        return document.root
    }

    private func text(
        _ key: StaticString, of root: JSONElement, in part: String, expected: String
    ) throws(CheckFailure) -> String {
        guard let member = document.member(key, of: root) else {
            throw malformed(
                "\(key): \(expected)", "absent", "The \(part) of the provider token has no \(key) (\(expected)).",
                fix: Self.fixes["\(key)"])
        }
        guard let text = document.string(member) else {
            throw malformed(
                "\(key): \(expected)", "\(document.kind(member))", "The provider token's \(key) is not a string.",
                fix: Self.fixes["\(key)"])
        }
        return text
    }

    private mutating func id(
        _ key: StaticString, of root: JSONElement, in part: String, name: String
    ) throws(CheckFailure) -> String {
        let id = try text(key, of: root, in: part, expected: "the \(name)")
        guard !id.isEmpty, id.utf8.count <= ProviderToken.idLengthLimit else {
            throw malformed(
                "1..\(ProviderToken.idLengthLimit) bytes", "\(id.utf8.count) bytes",
                "The provider token's \(key) has \(id.utf8.count) bytes; a \(name) has 10.", fix: Self.fixes["\(key)"])
        }
        if id.utf8.count != 10 {
            note(.tokenIDLength, key.description, shorten(id), "The \(name) has \(id.utf8.count) characters.")
        }
        return id
    }

    /// `iat` as an integer, a float, or a string of either.
    private mutating func seconds(_ element: JSONElement) throws(CheckFailure) -> Double {
        var seconds: Double?
        switch document.kind(element) {
        case .number:
            seconds = document.double(element)
            if document.integer(element) == nil {
                note(.tokenIssuedAtForm, "iat", "a fraction", "The token's iat is not a whole number.")
            }
        case .string:
            let text = document.string(element) ?? ""
            let isDecimal = text.utf8.allSatisfy { ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }
            seconds = isDecimal && text.utf8.count <= 32 ? Double(text) : nil
            note(.tokenIssuedAtForm, "iat", "a string", "The token's iat is a string.")
        case .object, .array, .boolean, .null: break
        }
        guard let seconds, seconds.isFinite else {
            throw malformed(
                "iat: seconds since 1970", "\(document.kind(element))",
                "The provider token's iat is not a number of seconds since 1970.", fix: Self.secondsFix)
        }
        return seconds
    }

    // MARK: Words

    private mutating func note(_ code: FindingCode, _ path: String, _ found: String, _ message: String) {
        findings.append(Finding(code, path: path, found: found, message: message))
    }

    private func malformed(
        _ expected: String, _ actual: String, _ explanation: String, fix: String? = nil
    ) -> CheckFailure {
        CheckFailure(
            .tokenForm, .invalidProviderToken, expected: expected, actual: actual, explanation: explanation, fix: fix)
    }

    private static let secondsFix =
        "Write iat as a number in the claims: whole seconds since 1970 (UTC), as Math.floor(Date.now() / 1000) or "
        + "int(time.time()) give them, not a date as text."

    /// What to do about a member that is not there, or is no id.
    private static let fixes = [
        "alg": "Write \"alg\": \"ES256\" into the token's header, and sign so.",
        "kid":
            "Write kid, the ten characters of the key's id, into the token's header beside alg, not into the claims.",
        "iss": "Write iss, the ten characters of the team's id, into the token's claims.",
    ]

    private func shorten(_ text: String) -> String {
        Array(text.utf8).span.shownText(limit: 40)
    }
}
