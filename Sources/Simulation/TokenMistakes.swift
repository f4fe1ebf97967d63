import APNs
import TLS

/// The mistakes that make a well-formed provider token one that no key fits, each with its fix.
enum TokenMistakes {
    static let registerKey =
        "Sign with a key that is registered, or register this one: POST /v1/keys, --key, or mock-apns keys import."

    /// What is wrong with a `kid` that no key has; nil where only its form can tell.
    static func fix(unknownKey token: ProviderToken, among keys: [KeyStore.Key]) -> String? {
        let (keyID, teamID) = (token.keyID, token.teamID)
        if let key = keys.first(where: { $0.teamID == keyID && ($0.keyID == teamID || teamID != keyID) }) {
            return key.keyID == teamID
                ? "Exchange the two ids: kid is the key's, \(key.keyID), and iss the team's, \(key.teamID)."
                : "Write the key's id as kid; \(keyID) is the id of a team, which belongs into iss."
        }
        let letters = letters(of: keyID)
        if let key = keys.first(where: { letters == Self.letters(of: $0.keyID) }) {
            return "Write kid as \(key.keyID): letters count in their case, and nothing stands around them."
        }
        if let key = keys.first(where: { keyID.count > 10 && keyID.contains($0.keyID) }) {
            return "Write kid as \(key.keyID), without the rest of the file's name."
        }
        guard keyID.utf8.count == KeyStore.Key.identifierLength,
            let near = NearestName.of(keyID, among: keys.lazy.map(\.keyID)), near.first == keyID.first
        else { return nil }
        return "Look for a typing error: there is a key \(near). Else: " + registerKey
    }

    /// What is wrong with an `iss` that is not the team of the key; nil where only its form can tell.
    static func fix(wrongTeam token: ProviderToken, _ key: KeyStore.Key) -> String? {
        let right = "Write iss as \(key.teamID)"
        if token.teamID == key.keyID {
            return "\(right), the team's id; \(key.keyID) is the key's, which belongs into kid."
        }
        if letters(of: token.teamID) == letters(of: key.teamID) {
            return "\(right): letters count in their case, and nothing stands around them."
        }
        return nil
    }

    /// What is wrong with a signature that its key did not make; nil when nothing is known.
    static func fix(badSignature token: ProviderToken, of key: KeyStore.Key, among keys: [KeyStore.Key]) -> String? {
        let count = token.signature.count
        switch count {
        case 32: return "Sign with the private key of the .p8 file (ES256); 32 bytes are an HMAC, made with a secret."
        case 256, 384, 512: return "Sign with the .p8 file (ES256); \(count) bytes are a signature by an RSA key."
        case 96: return "Sign with the .p8 file (ES256); 96 bytes are a signature over the curve P-384."
        default: break
        }
        let others = keys.lazy.filter { $0.keyID != key.keyID }.prefix(triedKeys)
        if let signer = others.first(where: { $0.key.verifies(signature: token.signature, of: token.signedBytes) }) {
            return
                "Write kid as \(signer.keyID), whose .p8 file signed this token, or sign with the one of \(key.keyID)."
        }
        return nil
    }

    /// With how many other keys a signature is tried: each takes some 0.1 ms.
    static let triedKeys = 4

    private static func letters(of id: String) -> String {
        id.uppercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
    }
}
