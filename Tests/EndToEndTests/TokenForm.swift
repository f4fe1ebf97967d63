import Foundation
import Server
import TLS
import TestSupport
import Testing

/// One way in which senders in wide use write a provider token.
struct TokenForm: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var header = #"{"alg":"ES256","kid":"$KID"}"#
    var claims = #"{"iss":"$TEAM","iat":$NOW}"#
    var scheme = "bearer"
    var isDER = false
    /// The parts in standard base64; the others are in that for URLs.
    var standardParts: [Int] = []
    var isPadded = false

    static let all = [
        TokenForm(testDescription: "as Apple writes it"),
        TokenForm(testDescription: "signature as DER", isDER: true),
        TokenForm(testDescription: "standard base64 with padding", standardParts: [0, 1, 2], isPadded: true),
        TokenForm(testDescription: "standard base64 in the signature, no padding", standardParts: [2]),
        TokenForm(testDescription: "iat as a float", claims: #"{"iss":"$TEAM","iat":$NOW.27}"#),
        TokenForm(testDescription: "iat as a string", claims: #"{"iss":"$TEAM","iat":"$NOW"}"#),
        TokenForm(testDescription: "typ", header: #"{"typ":"JWT","alg":"ES256","kid":"$KID"}"#),
        TokenForm(
            testDescription: "further claims",
            claims: #"{"iss":"$TEAM","iat":$NOW,"exp":$NOW,"nbf":$NOW,"aud":"x","jti":"y","kid":"$KID"}"#),
        TokenForm(
            testDescription: "indented JSON", header: "{\n  \"alg\" : \"ES256\",\n  \"kid\" : \"$KID\"\n}",
            claims: "{\n  \"iat\" : $NOW,\n  \"iss\" : \"$TEAM\"\n}"),
        TokenForm(testDescription: "Bearer", scheme: "Bearer"),
    ]

    /// The authorization field for a server's own key, issued now.
    func authorization(_ server: TestServer) throws -> String {
        guard let announced = server.server.certificates.announcedKey else {
            throw TestConnection.Failure("the folder of certificates has no key to sign with")
        }
        let key = try ES256PrivateKey(pem: String(contentsOfFile: announced.file, encoding: .utf8))
        let now = String(Int64(Date().timeIntervalSince1970))
        let parts = [header, claims].map { part in
            part.replacing("$KID", with: announced.keyID).replacing("$TEAM", with: server.server.configuration.team)
                .replacing("$NOW", with: now)
        }
        let signed = encoded(Array(parts[0].utf8), 0) + "." + encoded(Array(parts[1].utf8), 1)
        let message = Array(signed.utf8)
        let signature = isDER ? try key.signDER(message) : try key.sign(message)
        return "\(scheme) \(signed).\(encoded(signature, 2))"
    }

    private func encoded(_ bytes: [UInt8], _ part: Int) -> String {
        var text = Data(bytes).base64EncodedString()
        if !standardParts.contains(part) { text = text.replacing("+", with: "-").replacing("/", with: "_") }
        return isPadded ? text : text.replacing("=", with: "")
    }
}
