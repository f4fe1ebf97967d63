import APNs
import HTTP
import JSON
import Simulation
import TestFixtures
import Testing

/// One row of channels.json.
struct ChannelVector: Decodable, CustomTestStringConvertible, Sendable {
    /// A request and what follows it.
    struct Request: Decodable, Sendable {
        var `do`: String
        var method: String?
        var path: String?
        var set: [String: String?]?
        var add: [[String]]?
        var token: PushVector.Token?
        var body: String?
        var bodyBytes: Int?
        var wait: Int64?
    }

    var name: String
    var request: Request
    var features: [String]?
    var full: Bool?
    var before: [Request]
    var profiles: [String]
    var status: UInt16
    var reason: String?
    var fields: [String]?
    var response: String?
    var id: String?
    var also: [String]?

    private enum CodingKeys: String, CodingKey {
        case name, features, full, before, profiles, status, reason, fields, response, id, also
    }

    init(from decoder: any Decoder) throws {
        request = try Request(from: decoder)
        let row = try decoder.container(keyedBy: CodingKeys.self)
        name = try row.decode(String.self, forKey: .name)
        features = try row.decodeIfPresent([String].self, forKey: .features)
        full = try row.decodeIfPresent(Bool.self, forKey: .full)
        before = try row.decodeIfPresent([Request].self, forKey: .before) ?? []
        profiles = try row.decodeIfPresent([String].self, forKey: .profiles) ?? ["strict", "live"]
        status = try row.decode(UInt16.self, forKey: .status)
        reason = try row.decodeIfPresent(String.self, forKey: .reason)
        fields = try row.decodeIfPresent([String].self, forKey: .fields)
        response = try row.decodeIfPresent(String.self, forKey: .response)
        id = try row.decodeIfPresent(String.self, forKey: .id)
        also = try row.decodeIfPresent([String].self, forKey: .also)
    }

    var testDescription: String { name }
}

/// A sender and the channels that the vectors speak of.
struct ChannelSender {
    static let app = Channel.App(.sandbox, "com.example.app")

    var sender: PushSender
    /// The channels by their names in the vectors.
    let names: [String: String]

    init(_ configuration: Simulator.Configuration = .init(), limit: Int = 10_000) throws {
        var limits = ChannelStore.Limits()
        limits.channelsPerApp = limit
        let store = ChannelStore(limits: limits, random: FastRandom(seed: 7))
        sender = try PushSender(configuration, channels: store)
        func make(_ app: Channel.App, _ policy: MessageStoragePolicy) throws -> String {
            try store.create(app, policy, now: PushSender.start).id
        }
        let gone = try make(Self.app, .mostRecent)
        store.delete(gone)
        names = [
            "{GONE}": gone, "{KEEP}": try make(Self.app, .mostRecent), "{NONE}": try make(Self.app, .none),
            "{PROD}": try make(Channel.App(.production, "com.example.app"), .mostRecent),
            "{OTHER}": try make(Channel.App(.sandbox, "com.other.app"), .mostRecent),
            "{NEVER}": "dHN0LXNyY2gtY2hubA==",
        ]
    }

    /// The text with the names of channels replaced by their ids.
    func named(_ text: String) -> String {
        names.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    /// The good request of an operation.
    func base(_ operation: String, authorization: String?) -> PushRecipe {
        var recipe = PushRecipe(authorization: authorization)
        recipe["apns-topic"] = nil
        recipe["apns-push-type"] = nil
        recipe.body = []
        recipe[":path"] = "/1/apps/com.example.app/channels"
        recipe["apns-channel-id"] = operation == "create" || operation == "list" ? nil : names["{KEEP}"]
        switch operation {
        case "publish":
            recipe[":path"] = "/4/broadcasts/apps/com.example.app"
            recipe["apns-push-type"] = "liveactivity"
            recipe["apns-expiration"] = "0"
            recipe["apns-priority"] = "10"
            recipe.body = Array(
                #"{"aps":{"event":"update","timestamp":1768469400,"content-state":{"score":"1:0"}}}"#.utf8)
        case "create": recipe.body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        case "read": recipe[":method"] = "GET"
        case "delete": recipe[":method"] = "DELETE"
        default:
            recipe[":method"] = "GET"
            recipe[":path"] = "/1/apps/com.example.app/all-channels"
        }
        return recipe
    }

    /// The recipe of a row.
    func recipe(_ row: ChannelVector.Request) throws -> PushRecipe {
        var recipe = base(row.do, authorization: try sender.authorization(row.token))
        if let method = row.method { recipe[":method"] = method }
        if let path = row.path { recipe[":path"] = path }
        for (name, value) in row.set ?? [:] { recipe[name] = value.map { named($0) } }
        for field in row.add ?? [] { recipe.fields.append((field[0], named(field[1]))) }
        if let body = row.body { recipe.body = Array(body.utf8) }
        if let count = row.bodyBytes {
            let head = #"{"aps":{"event":"update","timestamp":1768469400,"content-state":{"x":""#
            let tail = #""}}}"#
            let filling = String(repeating: "x", count: count - head.utf8.count - tail.utf8.count)
            recipe.body = Array((head + filling + tail).utf8)
        }
        return recipe
    }
}

struct ChannelVectorTests {
    static let vectors = Result { try Vectors.load("channels.json", as: [ChannelVector].self) }

    @Test(arguments: try vectors.get())
    func `a request about channels is answered as APNs answers it`(_ vector: ChannelVector) throws {
        for name in vector.profiles {
            var configuration = Simulator.Configuration()
            configuration.profile = try #require(Profile(rawValue: name))
            // Every token of a test is another.
            configuration.limitsTokenRefresh = vector.before.contains { $0.wait != nil }
            if let features = vector.features { configuration.broadcastApps = features.map { TopicPattern($0) } }
            var sender = try ChannelSender(configuration, limit: vector.full == true ? 2 : 10_000)
            for earlier in vector.before {
                let before = sender.sender.decide(try sender.recipe(earlier))
                try #require(before.entry.content.status < 300)
                sender.sender.time += (earlier.wait ?? 0) * 1000
            }
            let decision = sender.sender.decide(try sender.recipe(vector.request))
            expect(decision, vector, sender, profile: name)
        }
    }

    private func expect(_ decision: Decision, _ vector: ChannelVector, _ sender: ChannelSender, profile: String) {
        let content = decision.entry.content
        #expect(decision.response.status == vector.status, "\(profile): \(decision.body) \(content.failures)")
        #expect(content.status == vector.status)
        #expect(content.outcome == (vector.status < 300 ? .accepted : .rejected))
        #expect(content.reason?.row.spelling.description == vector.reason, "\(profile)")
        if let reason = vector.reason { #expect(decision.body == "{\"reason\":\"\(reason)\"}") }
        if let response = vector.response { #expect(decision.body == sender.named(response)) }
        let names = decision.response.fields.map(\.name.spelling.description)
        if let fields = vector.fields { #expect(names == fields) }
        if let also = vector.also {
            #expect(content.failures.dropFirst().map(\.reason.row.spelling.description) == also, "\(profile)")
        }
        // Only a path that is none of theirs is answered as a device push.
        guard content.channelRequest != nil else { return }
        let id = decision.field(.apnsRequestID) ?? ""
        #expect(decision.field(.apnsID) == nil)
        #expect(id.utf8.count == 36)
        if let wanted = vector.id { #expect(wanted == "made" ? id == id.uppercased() : id == wanted) }
    }

    @Test func `every reason of Apple's table with a known condition is produced by a vector`() throws {
        // What only a script or a client certificate brings about is not here: those have tests of their own.
        let elsewhere: [Reason] = [
            .badCertificate, .badCertificateEnvironment, .tooManyRequests, .internalServerError, .serviceUnavailable,
            .shutdown, .unrelatedKeyIDInToken,
        ]
        let produced = Set(try Self.vectors.get().compactMap { $0.reason })
        for reason in Reason.allCases where !reason.row.occurrence.isDisjoint(with: [.broadcast, .channels]) {
            if elsewhere.contains(reason) { continue }
            #expect(produced.contains(reason.row.spelling.description), "\(reason)")
        }
        #expect(try Self.vectors.get().count > 80)
    }

    @Test func `a refusal says what was checked, with numbers, and what to do`() throws {
        var sender = try ChannelSender()
        var recipe = sender.base("publish", authorization: try sender.sender.bearer())
        recipe["apns-channel-id"] = sender.names["{NONE}"]
        recipe["apns-expiration"] = "1900000000"
        let entry = sender.sender.decide(recipe).entry
        var writer = JSONWriter()
        sender.sender.simulator.journal.renderer.write(entry, to: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let id = try #require(sender.names["{NONE}"])
        #expect(text.contains(#""kind":"broadcast","operation":"publish","channel":"\#(id)""#))
        #expect(text.contains(#""topic":"com.example.app""#))
        #expect(text.contains("(message-storage-policy 0), so apns-expiration must be 0; it is 1900000000."))
        #expect(text.contains(#"{"check":"channel","ok":true},{"check":"channel.storage","ok":false,"expected":"0""#))
        #expect(!text.contains(#""check":"device""#))
        #expect(text.contains("or create the channel with message-storage-policy 1."))
    }

    @Test func `filters find broadcasts by kind, channel and bundle id`() throws {
        var sender = try ChannelSender()
        let authorization = try sender.sender.bearer()
        let broadcast = sender.sender.decide(sender.base("publish", authorization: authorization)).entry
        let created = sender.sender.decide(sender.base("create", authorization: authorization))
        let push = sender.sender.decide(PushRecipe(authorization: authorization)).entry
        func matches(_ field: String, _ value: String) throws -> [Bool] {
            var matcher = Matcher()
            try matcher.require(field, anyOf: [value])
            return [broadcast, created.entry, push].map { matcher.matches($0) }
        }
        #expect(try matches("kind", "broadcast") == [true, false, false])
        #expect(try matches("kind", "channels") == [false, true, false])
        #expect(try matches("kind", "device") == [false, false, true])
        #expect(try matches("channel", try #require(sender.names["{KEEP}"])) == [true, false, false])
        #expect(try matches("channel", try #require(created.field(.apnsChannelID))) == [false, true, false])
        #expect(try matches("topic", "com.example.app") == [true, true, true])
        #expect(try matches("type", "liveactivity") == [true, false, false])
    }
}
