import APNs
import HTTP
import Simulation
import TLS
import Testing

/// A provider token to be, with everything about it that can be wrong.
struct TokenRecipe {
    enum Signing { case raw, der, sha512Claimed, corrupted }
    enum Alphabet { case url, standard }

    var header = #"{"alg":"ES256","kid":"KEY1234567"}"#
    /// The claims; `%iat%` stands for the time of issue.
    var claims = #"{"iss":"ABCDE12345","iat":%iat%}"#
    var issuedAt: Int64
    var signing = Signing.raw
    var alphabet = Alphabet.url
    var isPadded = false

    init(issuedAt: Int64 = PushSender.start / 1000) {
        self.issuedAt = issuedAt
    }

    func signed(by key: ES256PrivateKey) throws -> String {
        let claims = self.claims.replacing("%iat%", with: "\(issuedAt)")
        let message = encode(Array(header.utf8)) + "." + encode(Array(claims.utf8))
        var signature =
            try signing == .der ? key.signDER(Array(message.utf8)) : key.sign(Array(message.utf8))
        if signing == .corrupted { signature[20] ^= 1 }
        return message + "." + encode(signature)
    }

    private func encode(_ bytes: [UInt8]) -> String {
        let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let digits = alphabet == .url ? url : standard
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
}

/// A request to be; the base of the vectors unless changed.
struct PushRecipe {
    var fields: [(String, String)]
    var body = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

    init(authorization: String?) {
        fields = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(PushSender.device)"),
            (":authority", "localhost:2197"), ("apns-topic", "com.example.app"), ("apns-push-type", "alert"),
        ]
        if let authorization { fields.append(("authorization", authorization)) }
    }

    /// Sets a field, or removes it.
    mutating func set(_ name: String, _ value: String?) {
        fields.removeAll { $0.0 == name }
        if let value { fields.append((name, value)) }
    }

    subscript(_ name: String) -> String? {
        get { fields.first { $0.0 == name }?.1 }
        set { set(name, newValue) }
    }

    var request: HTTPRequest {
        var request = HTTPRequest()
        for (name, value) in fields {
            let token = HeaderName.allCases.first { $0 != .other && $0.spelling.description == name } ?? .other
            let (spelling, bytes) = (Array(name.utf8), Array(value.utf8))
            spelling.withUnsafeBytes { spelling in
                bytes.withUnsafeBytes { request.append(token, name: spelling, value: $0) }
            }
        }
        body.withUnsafeBytes { request.appendBody($0) }
        return request
    }
}

/// A sender and the simulator that judges it, on one connection, at a time that the test sets.
struct PushSender {
    /// 2026-01-15T09:30:00Z in milliseconds.
    static let start: Int64 = 1_768_469_400_000
    static let device = String(repeating: "a1b2c3d4", count: 8)
    static let team = "ABCDE12345"
    static let keyID = "KEY1234567"

    let simulator: Simulator
    let key: ES256PrivateKey
    let otherKey: ES256PrivateKey
    var state: ConnectionState
    var scratch = DecisionScratch(random: FastRandom(seed: 1))
    /// The server's time in milliseconds.
    var time = PushSender.start
    private let shelf = Shelf()

    /// The tokens made so far: a signature is another each time, and a sender reuses its token.
    private final class Shelf {
        var tokens: [Int64: String] = [:]
    }

    init(
        _ configuration: Simulator.Configuration = .init(), environment: Environment = .sandbox,
        certificate: PeerCertificate? = nil, keys: [KeyStore.Key] = [], key known: ES256PrivateKey? = nil,
        channels: ChannelStore = ChannelStore(), devices: DeviceStore = DeviceStore(),
        script: Script = Script()
    ) throws {
        key = try known ?? ES256PrivateKey()
        otherKey = try ES256PrivateKey()
        let store = KeyStore(
            [
                KeyStore.Key(keyID: Self.keyID, teamID: Self.team, key: key.publicKey),
                KeyStore.Key(keyID: "OTHERTEAM1", teamID: "ZYXWV98765", key: key.publicKey),
                KeyStore.Key(keyID: "PRODUCTION", teamID: Self.team, key: key.publicKey, environments: [.production]),
                KeyStore.Key(
                    keyID: "TOPICAL001", teamID: Self.team, key: key.publicKey, topics: ["com.example.app"],
                    relatedKeyID: "TOPICAL002"),
                KeyStore.Key(keyID: "TOPICAL002", teamID: Self.team, key: key.publicKey, topics: ["com.example.*"]),
                KeyStore.Key(keyID: "REVOKED001", teamID: Self.team, key: key.publicKey, isRevoked: true),
            ] + keys)
        let journal = Journal(
            limits: Journal.Limits(), log: nil, renderer: EntryRenderer(instance: "test", adminBase: nil))
        simulator = Simulator(
            configuration: configuration, journal: journal, keys: store, clock: ServerClock(frozenAt: Self.start),
            channels: channels, devices: devices, script: script)
        state = ConnectionState(
            connection: PeerConnectionReference(
                PeerConnection(
                    id: 1, peer: "127.0.0.1:50000", listener: "127.0.0.1:2197", environment: environment,
                    certificate: certificate)))
    }

    /// `bearer` and a good token, changed as the caller likes.
    func bearer(_ change: (inout TokenRecipe) -> Void = { _ in }) throws -> String {
        var recipe = TokenRecipe(issuedAt: time / 1000)
        change(&recipe)
        return try "bearer " + recipe.signed(by: key)
    }

    /// The base request with a good token, the same for the same time.
    func base() throws -> PushRecipe {
        let token = try shelf.tokens[time] ?? bearer()
        shelf.tokens[time] = token
        return PushRecipe(authorization: token)
    }

    mutating func decide(_ recipe: PushRecipe) -> Decision {
        simulator.decide(
            recipe.request, stream: 1, on: &state, scratch: &scratch, now: Instant(machine: time, server: time))
    }

    /// Decides the base request after a change.
    mutating func decide(_ change: (inout PushRecipe) -> Void = { _ in }) throws -> Decision {
        var recipe = try base()
        change(&recipe)
        return decide(recipe)
    }
}

extension Decision {
    var reason: Reason? { entry.content.reason }
    var failures: [CheckFailure] { entry.content.failures }
    var findings: [String] { entry.content.findings.map(\.code.code.description) }

    /// The value of a field of the answer.
    func field(_ name: HeaderName) -> String? {
        for field in response.fields where field.name == name {
            switch field.value {
            case .id(let id): return id.description
            case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
            }
        }
        return nil
    }

    /// The body of the answer.
    var body: String {
        switch response.body {
        case .none: ""
        case .constant(let text): text.description
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}
