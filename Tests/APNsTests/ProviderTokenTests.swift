import APNs
import HTTP
import Testing

/// The forms of provider tokens that senders in wide use send, and those that nobody should.
struct ProviderTokenTests {
    // MARK: Making tokens

    private static func base64(_ bytes: [UInt8], isStandard: Bool = false, isPadded: Bool = false) -> String {
        let last = isStandard ? "+/" : "-_"
        let digits = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var text: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let group = bytes[place..<min(place + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0...group.count { text.append(digits[Int(word >> UInt32(18 - 6 * index) & 63)]) }
            place += 3
        }
        if isPadded { while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) } }
        return String(decoding: text, as: UTF8.self)
    }

    private static func token(
        header: String = #"{"alg":"ES256","kid":"KEY1234567"}"#,
        claims: String = #"{"iss":"ABCDE12345","iat":1768469400}"#,
        signature: [UInt8] = Array(repeating: 7, count: 64)
    ) -> String {
        [Array(header.utf8), Array(claims.utf8), signature].map { base64($0) }.joined(separator: ".")
    }

    private func read(_ authorization: String) throws(CheckFailure) -> ProviderToken {
        let bytes = Array(authorization.utf8)
        return try ProviderToken(authorization: bytes.span)
    }

    private func codes(_ token: ProviderToken) -> [String] { token.findings.map(\.code.code.description) }

    // MARK: What is accepted

    @Test func `a token as Apple's pages describe it has no findings`() throws {
        let text = Self.token()
        let token = try read("bearer \(text)")
        #expect(token.keyID == "KEY1234567")
        #expect(token.teamID == "ABCDE12345")
        #expect(token.issuedAt == 1_768_469_400)
        #expect(token.algorithm == .es256)
        #expect(token.signature == Array(repeating: 7, count: 64))
        #expect(
            String(decoding: token.signedBytes, as: UTF8.self)
                == text.split(separator: ".")[0...1].joined(separator: "."))
        #expect(token.findings == [])
    }

    @Test(arguments: ["Bearer", "BEARER", "beareR"])
    func `the scheme may be written in any case, with a finding`(_ scheme: String) throws {
        #expect(codes(try read("\(scheme) \(Self.token())")) == ["T001"])
    }

    @Test func `blanks before the token do not matter`() throws {
        #expect(try read("bearer   \(Self.token())").keyID == "KEY1234567")
    }

    /// Header and claims of senders in wide use.
    static let habits: [(String, String, [String])] = [
        (#"{"alg":"ES256","typ":"JWT","kid":"KEY1234567"}"#, #"{"iss":"ABCDE12345","iat":1768469400}"#, []),
        (
            #"{"kid":"KEY1234567","alg":"ES256"}"#,
            #"{"iat":1768469400,"iss":"ABCDE12345","exp":1768473000,"aud":"apns","nbf":1,"jti":"x","kid":"y"}"#, []
        ),
        (
            "{\n  \"alg\" : \"ES256\",\n  \"kid\" : \"KEY1234567\"\n}",
            "{\n\t\"iss\" : \"ABCDE12345\",\r\n\t\"iat\" : 1768469400 }", []
        ),
        (#"{"alg":"ES256","kid":"KEY1234567"}"#, #"{"iss":"ABCDE12345","iat":1768469400.27}"#, ["T005"]),
        (#"{"alg":"ES256","kid":"KEY1234567"}"#, #"{"iss":"ABCDE12345","iat":1768469400.0}"#, []),
        (#"{"alg":"ES256","kid":"KEY1234567"}"#, #"{"iss":"ABCDE12345","iat":1.7684694e9}"#, []),
        (#"{"alg":"ES256","kid":"KEY1234567"}"#, #"{"iss":"ABCDE12345","iat":"1768469400"}"#, ["T005"]),
        (#"{"alg":"ES256","kid":"KEY1234567"}"#, #"{"iss":"ABCDE12345","iat":"1768469400.5"}"#, ["T005"]),
        (#"{"alg":"ES256","kid":"KEY"}"#, #"{"iss":"TEAM","iat":1768469400}"#, ["T006", "T006"]),
        (#"{"alg":"ES256","kid":"KEY\u0031234567"}"#, #"{"iss":"ABCDE12345","iat":1768469400}"#, []),
    ]

    @Test(arguments: habits)
    func `the habits of real senders are read`(_ header: String, _ claims: String, _ findings: [String]) throws {
        let token = try read("bearer \(Self.token(header: header, claims: claims))")
        #expect(token.keyID.hasPrefix("KEY"))
        #expect(abs(token.issuedAt - 1_768_469_400) < 1)
        #expect(codes(token) == findings)
    }

    @Test(arguments: [(false, true), (true, false), (true, true), (false, false)], 0..<3)
    func `each part may be base64 of either alphabet, padded or not`(_ form: (Bool, Bool), _ part: Int) throws {
        // These bytes yield both characters in which the alphabets differ, and need padding.
        let parts = [
            Array(#"{"alg":"ES256","kid":"KEY1234567","x":"?>?>ûÿ"}"#.utf8),
            Array(#"{"iss":"ABCDE12345","iat":1768469400,"x":"?>?>ûÿ "}"#.utf8),
            Array(repeating: 0xFB, count: 64),
        ]
        let texts = parts.indices.map { index in
            index == part ? Self.base64(parts[index], isStandard: form.0, isPadded: form.1) : Self.base64(parts[index])
        }
        let isOdd = texts[part] != Self.base64(parts[part])
        let token = try read("bearer " + texts.joined(separator: "."))
        #expect(token.signature == parts[2])
        #expect(codes(token) == (isOdd ? ["T002"] : []))
        // Every form but plain base64url differs here, or the test says nothing.
        #expect(isOdd == (form.0 || form.1))
    }

    @Test func `DER and ES512 are read, with findings`() throws {
        let der = try read("bearer \(Self.token(signature: Array(repeating: 0x30, count: 71)))")
        #expect(codes(der) == ["T003"])
        let header = #"{"alg":"ES512","kid":"KEY1234567"}"#
        let es512 = try read("bearer \(Self.token(header: header, signature: Array(repeating: 1, count: 132)))")
        #expect(es512.algorithm == .es512)
        #expect(codes(es512) == ["T004"])
    }

    // MARK: What is refused

    @Test(arguments: ["", "bearer", "bearer ", "bearer    ", "basic abc", "token a.b.c", "bearertoken", "Bear er x"])
    func `what is not a bearer token is missing`(_ value: String) {
        let failure = #expect(throws: CheckFailure.self) { try self.read(value) }
        #expect(failure?.check == .authorizationPresent)
        #expect(failure?.reason == .missingProviderToken)
    }

    /// Values behind `bearer`, and what the explanation must mention.
    static let malformed: [(String, String)] = [
        ("abc", "1 part between"), ("a.b", "2 parts"), ("a.b.c.d", "4 parts"),
        ("..", "header of the provider token is empty"),
        (token() + ".", "4 parts"), ("e30.e30.A", "signature of the provider token is not base64url"),
        ("e30!.e30.AAAA", "header of the provider token is not base64url"),
        ("e3 0.e30.AAAA", "not base64url"), ("e30=.e30=.AA==A", "not base64url"),
        (token(header: "{}"), "has no alg"), (token(header: "[]"), "no JSON object"),
        (token(header: "alg"), "header of the provider token is not JSON"),
        (token(header: #"{"alg":"ES256"}"#), "has no kid"),
        (token(header: #"{"alg":"ES256","kid":7}"#), "kid is not a string"),
        (token(header: #"{"alg":"ES256","kid":""}"#), "kid has 0 bytes"),
        (token(header: #"{"alg":"ES256","kid":"\#(String(repeating: "K", count: 65))"}"#), "kid has 65 bytes"),
        (token(header: #"{"alg":"HS256","kid":"KEY1234567"}"#), "alg is \"HS256\""),
        (token(header: #"{"alg":"none","kid":"KEY1234567"}"#), "alg is \"none\""),
        (token(header: #"{"alg":"es256","kid":"KEY1234567"}"#), "alg is \"es256\""),
        (token(claims: "{}"), "has no iss"), (token(claims: #"{"iss":"ABCDE12345"}"#), "has no iat"),
        (token(claims: #"{"iss":"ABCDE12345","iat":null}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":true}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":"soon"}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":"0x10"}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":"nan"}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":"1.2.3"}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":1e999}"#), "iat is not a number"),
        (token(claims: #"{"iss":"ABCDE12345","iat":[1]}"#), "iat is not a number"),
        (token(claims: "{"), "claims of the provider token is not JSON"),
        (token(signature: []), "signature of the provider token is empty"),
    ]

    @Test(arguments: malformed)
    func `a malformed token is invalid, and told why`(_ text: String, _ mention: String) {
        let failure = #expect(throws: CheckFailure.self) { try self.read("bearer \(text)") }
        #expect(failure?.check == .tokenForm)
        #expect(failure?.reason == .invalidProviderToken)
        #expect(failure?.explanation.contains(mention) == true, "\(failure?.explanation ?? "")")
    }

    @Test func `the length of the header is limited`() throws {
        let claims = #"{"iss":"ABCDE12345","iat":1768469400,"x":"\#(String(repeating: "x", count: 2000))"}"#
        let text = "bearer \(Self.token(claims: claims))"
        let filled = text.replacing("bearer ", with: "bearer" + String(repeating: " ", count: 4097 - text.utf8.count))
        #expect(filled.utf8.count == ProviderToken.lengthLimit)
        #expect(try read(filled).keyID == "KEY1234567")
        let failure = #expect(throws: CheckFailure.self) {
            try self.read(filled.replacing("bearer ", with: "bearer  "))
        }
        #expect(failure?.actual == "4097 bytes")
    }

    @Test func `no explanation repeats a secret`() throws {
        let secret = "c2VjcmV0LXNpZ25hdHVyZQ!"
        let failure = #expect(throws: CheckFailure.self) { try self.read("bearer e30.e30.\(secret)") }
        #expect(failure?.explanation.contains(secret) == false)
        let basic = #expect(throws: CheckFailure.self) { try self.read("Basic dXNlcjpwYXNzd29yZA==") }
        #expect(basic?.actual == "another scheme")
        #expect(basic?.explanation.contains("dXNl") == false)
    }

    // MARK: Age

    @Test(arguments: [(0, true), (3600, true), (3601, false), (-3600, true), (-3601, false)] as [(Int64, Bool)])
    func `a token is good for an hour, and an hour before`(_ age: Int64, _ isGood: Bool) {
        #expect(ProviderToken.isAcceptable(issuedAt: 1_768_469_400, now: 1_768_469_400 + age) == isGood)
        let failure = ProviderToken.ageFailure(issuedAt: 1_768_469_400, now: 1_768_469_400 + age)
        #expect((failure == nil) == isGood)
    }

    @Test func `the explanation of an old token has the numbers`() throws {
        let failure = try #require(ProviderToken.ageFailure(issuedAt: 1_768_465_736, now: 1_768_469_400))
        #expect(failure.reason == .expiredProviderToken)
        #expect(failure.actual == "3664 s")
        #expect(
            failure.explanation
                == "The JWT's iat is 61 min 04 s before the server clock (09:30:00Z); provider tokens are valid for 60 "
                + "minutes.")
    }

    @Test(arguments: [1e300, -1e300, 1.768e12, 9.3e18, -9.3e18, 0])
    func `absurd times are refused without a trap`(_ issuedAt: Double) throws {
        let failure = try #require(ProviderToken.ageFailure(issuedAt: issuedAt, now: 1_768_469_400))
        #expect(failure.reason == (issuedAt > 1e9 ? .invalidProviderToken : .expiredProviderToken))
        if issuedAt == 1.768e12 { #expect(failure.explanation.contains("looks like milliseconds")) }
    }

    // MARK: Hostile bytes

    @Test(arguments: [21, 22, 23, 24] as [UInt64])
    func `random bytes are read or refused, never trap`(_ seed: UInt64) {
        var random = FastRandom(seed: seed)
        let good = Array("bearer \(Self.token())".utf8)
        var accepted = 0
        for _ in 0..<3000 {
            var bytes = good
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(ascii: "."), at: place)
                default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0..<40, using: &random)))
                }
            }
            do throws(CheckFailure) {
                _ = try ProviderToken(authorization: bytes.span)
                accepted += 1
            } catch {
                #expect(Check.tokenChecks.contains(error.check), "seed \(seed)")
                #expect(error.reason.status == 403, "seed \(seed)")
            }
        }
        #expect(accepted > 100, "seed \(seed): untouched tokens are among them")
    }
}
