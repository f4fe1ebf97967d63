import APNs
import HTTP
import Simulation
import TestFixtures
import Testing

/// One row of device-push.json.
struct PushVector: Decodable, CustomTestStringConvertible, Sendable {
    /// What to change about the provider token.
    struct Token: Decodable, Sendable {
        var none: Bool?
        var kid: String?
        var iss: String?
        var alg: String?
        var header: String?
        var claims: String?
        var age: Int64?
        var signing: String?
        var signedBy: String?
        var alphabet: String?
        var padded: Bool?
        var scheme: String?
    }

    /// A request and what follows it.
    struct Request: Decodable, Sendable {
        var method: String?
        var path: String?
        var set: [String: String?]?
        var add: [[String]]?
        var token: Token?
        var body: String?
        var bodyBytes: Int?
        var wait: Int64?
    }

    var name: String
    var request: Request
    var environment: String?
    var before: [Request]
    var profiles: [String]
    var status: UInt16
    var reason: String?
    var id: String?
    var also: [String]?
    /// Whether the devices of ``DeviceFixture`` are registered.
    var registry: Bool
    var unknownDevices: String?
    var deviceRate: String?
    var timestamp: Int64?

    private enum CodingKeys: String, CodingKey {
        case name, environment, before, profiles, status, reason, id, also
        case registry, unknownDevices, deviceRate, timestamp
    }

    init(from decoder: any Decoder) throws {
        request = try Request(from: decoder)
        let row = try decoder.container(keyedBy: CodingKeys.self)
        name = try row.decode(String.self, forKey: .name)
        environment = try row.decodeIfPresent(String.self, forKey: .environment)
        before = try row.decodeIfPresent([Request].self, forKey: .before) ?? []
        profiles = try row.decodeIfPresent([String].self, forKey: .profiles) ?? ["strict", "live"]
        status = try row.decode(UInt16.self, forKey: .status)
        reason = try row.decodeIfPresent(String.self, forKey: .reason)
        id = try row.decodeIfPresent(String.self, forKey: .id)
        also = try row.decodeIfPresent([String].self, forKey: .also)
        registry = try row.decodeIfPresent(Bool.self, forKey: .registry) ?? false
        unknownDevices = try row.decodeIfPresent(String.self, forKey: .unknownDevices)
        deviceRate = try row.decodeIfPresent(String.self, forKey: .deviceRate)
        timestamp = try row.decodeIfPresent(Int64.self, forKey: .timestamp)
    }

    var testDescription: String { name }
}

extension PushSender {
    /// The recipe of a row.
    func recipe(_ row: PushVector.Request) throws -> PushRecipe {
        var recipe = PushRecipe(authorization: try authorization(row.token))
        if let method = row.method { recipe[":method"] = method }
        if let path = row.path {
            recipe[":path"] = DeviceFixture.tokens.reduce(path) { $0.replacing("{\($1.key)}", with: $1.value) }
                .replacing("{0x64}", with: String(repeating: "0", count: 64))
        }
        for (name, value) in row.set ?? [:] { recipe[name] = value }
        for field in row.add ?? [] { recipe.fields.append((field[0], field[1])) }
        if let body = row.body { recipe.body = Array(body.utf8) }
        if let count = row.bodyBytes {
            let (head, tail) = (#"{"aps":{"alert":""#, #""}}"#)
            let filling = String(repeating: "x", count: count - head.utf8.count - tail.utf8.count)
            recipe.body = Array((head + filling + tail).utf8)
        }
        return recipe
    }

    func authorization(_ token: PushVector.Token?) throws -> String? {
        guard let token else { return try bearer() }
        if token.none == true { return nil }
        var recipe = TokenRecipe(issuedAt: time / 1000 - (token.age ?? 0))
        let kid = token.kid ?? Self.keyID
        recipe.header = token.header ?? #"{"alg":"\#(token.alg ?? "ES256")","kid":"\#(kid)"}"#
        recipe.claims = token.claims ?? #"{"iss":"\#(token.iss ?? Self.team)","iat":%iat%}"#
        switch token.signing {
        case "der": recipe.signing = .der
        case "corrupted": recipe.signing = .corrupted
        default: break
        }
        if token.alphabet == "standard" { recipe.alphabet = .standard }
        recipe.isPadded = token.padded ?? false
        return try "\(token.scheme ?? "bearer") " + recipe.signed(by: token.signedBy == "other" ? otherKey : key)
    }
}

struct SimulatorVectorTests {
    static let vectors = Result {
        try ["device-push.json", "devices.json"].flatMap { try Vectors.load($0, as: [PushVector].self) }
    }

    @Test(arguments: try vectors.get())
    func `a push is answered as APNs answers it`(_ vector: PushVector) throws {
        for name in vector.profiles {
            var configuration = Simulator.Configuration()
            configuration.profile = try #require(Profile(rawValue: name))
            configuration.acceptsUnknownDevices = vector.unknownDevices != "reject"
            configuration.deviceRate = try vector.deviceRate.map { try #require(DeviceRate($0)) }
            configuration.limitsTokenRefresh = vector.deviceRate == nil
            let environment = try vector.environment.map { try #require(Environment(rawValue: $0)) } ?? .sandbox
            var sender = try PushSender(
                configuration, environment: environment,
                devices: DeviceStore(vector.registry ? DeviceFixture.devices : []))
            for earlier in vector.before {
                _ = sender.decide(try sender.recipe(earlier))
                sender.time += (earlier.wait ?? 0) * 1000
            }
            let recipe = try sender.recipe(vector.request)
            let decision = sender.decide(recipe)
            expect(decision, of: recipe, vector, profile: name)
        }
    }

    private func expect(_ decision: Decision, of recipe: PushRecipe, _ vector: PushVector, profile: String) {
        let content = decision.entry.content
        #expect(decision.response.status == vector.status, "\(profile): \(decision.body) \(content.failures)")
        #expect(content.status == vector.status)
        #expect(content.outcome == (vector.status == 200 ? .accepted : .rejected))
        let timestamp = vector.timestamp.map { ",\"timestamp\":\($0)" } ?? ""
        #expect(decision.body == (vector.reason.map { "{\"reason\":\"\($0)\"\(timestamp)}" } ?? ""), "\(profile)")
        #expect(content.reason?.row.spelling.description == vector.reason, "\(profile)")
        if let also = vector.also {
            #expect(content.failures.dropFirst().map(\.reason.row.spelling.description) == also, "\(profile)")
        }
        let id = decision.field(.apnsID) ?? ""
        switch vector.id {
        case "echo": #expect(id == recipe["apns-id"])
        case "made": #expect(id != recipe["apns-id"] && id == id.uppercased() && id.utf8.count == 36)
        default: #expect(id.utf8.count == 36)
        }
        let isDevelopment = content.environment == .sandbox && vector.status == 200
        #expect((decision.field(.apnsUniqueID) != nil) == isDevelopment)
        #expect(decision.response.fields.count == (isDevelopment ? 2 : 1), "no other header fields")
    }

    @Test func `the vectors are many`() throws {
        #expect(try Self.vectors.get().count > 110)
    }
}
