/// Findings about provider tokens: forms that APNs accepts though its documentation asks for another.
extension FindingCode {
    /// All of them, in the order of their codes.
    package static let providerTokenCodes: [FindingCode] = [
        .tokenScheme, .tokenStandardBase64, .tokenDERSignature, .tokenES512, .tokenIssuedAtForm, .tokenIDLength,
        .tokenIssuedAhead,
    ]

    package static let tokenScheme = FindingCode(
        "T001", .warning, expected: "authorization: bearer <provider token>",
        fix: "Write the scheme in lower case, as Apple's pages do.", source: ApplePage.sending)
    package static let tokenStandardBase64 = FindingCode(
        "T002", .warning, expected: "base64url without padding in each part of the token (RFC 7515)",
        fix: "Encode with - and _ instead of + and /, and without =.", source: ApplePage.tokens)
    package static let tokenDERSignature = FindingCode(
        "T003", .warning, expected: "a signature of 64 bytes, r and s (RFC 7518)",
        fix: "Convert the signature from DER to r and s, 32 bytes each.", source: ApplePage.tokens)
    package static let tokenES512 = FindingCode(
        "T004", .warning, expected: "alg ES256",
        fix: "Sign with ES256: SHA-256 over the P-256 key of the .p8 file.", source: ApplePage.tokens)
    package static let tokenIssuedAtForm = FindingCode(
        "T005", .warning, expected: "iat as a whole number of seconds since 1970",
        fix: "Write iat as an integer.", source: ApplePage.tokens)
    package static let tokenIDLength = FindingCode(
        "T006", .warning, expected: "a key id and a team id of 10 characters",
        fix: "Use the key id and team id as the developer account shows them.", source: ApplePage.tokens)
    package static let tokenIssuedAhead = FindingCode(
        "T007", .warning, expected: "an iat that is not after the time of arrival",
        fix: "Set the clocks of sender and server; iat is the time of signing in UTC.", source: ApplePage.tokens)
}
