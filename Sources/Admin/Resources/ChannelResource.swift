import APNs
import HTTP
import JSON
import Simulation

/// The broadcast channels: what senders created, and what a test puts there.
enum ChannelResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/channels", .channels, "The broadcast channels, in the order of their creation.",
            details: """
                What senders created with `POST /1/apps/<bundle id>/channels`, and what was put there with \
                `POST /v1/channels`. `subscribers` is always null: devices are not simulated, so nobody subscribes. \
                Broadcasts themselves are pushes: wait for them with `/v1/notifications?channel=`.
                """,
            parameters: [bundleID, environment],
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`")],
            examples: [
                AdminRoute.Example("All channels", "/v1/channels"),
                AdminRoute.Example("The channels of one app", "/v1/channels?bundleId=com.acme.app&env=sandbox"),
            ], handler: list),
        AdminRoute(
            .post, "/v1/channels", .channels, "Put a channel there, with an id of your choice or a random one.",
            body: [bundleID, environment, policy, id],
            answers: [
                AdminRoute.Answer(201, "The channel."),
                AdminRoute.Answer(409, "The id is or was in use, or the app has all channels it may have.", .problem),
            ],
            examples: [
                AdminRoute.Example(
                    "A channel that stores the most recent message", "/v1/channels",
                    body: #"{"bundleId": "com.acme.app", "messageStoragePolicy": 1, "id": "ZXhhbXBsZS1jaGFubmVsLQ=="}"#,
                    status: 201)
            ], handler: create),
        AdminRoute(
            .get, "/v1/channels/{id}", .channels, "One channel, with its last message.",
            details: "In the path, the `/`, `+` and `=` of an id are written `%2F`, `%2B` and `%3D`.",
            answers: [
                AdminRoute.Answer(200, "The channel."), AdminRoute.Answer(404, "There is no such channel.", .problem),
            ],
            examples: [AdminRoute.Example("One channel", "/v1/channels/dHN0LXNyY2gtY2hubA%3D%3D")],
            handler: one),
        AdminRoute(
            .delete, "/v1/channels/{id}", .channels, "Delete a channel; a broadcast to it is then refused.",
            details: "Senders get `ChannelNotRegistered` from then on, as after a deletion of their own.",
            answers: [
                AdminRoute.Answer(200, "The channel as it was."),
                AdminRoute.Answer(404, "There is no such channel.", .problem),
            ],
            examples: [AdminRoute.Example("Delete one", "/v1/channels/dHN0LXNyY2gtY2hubA%3D%3D")], handler: delete),
    ]

    private static let bundleID = Parameter("bundleId", .text, "The app.", example: "com.acme.app")
    private static let environment = Parameter(
        "env", .word(Environment.allCases.map(\.rawValue)), "The environment.", example: "sandbox",
        standard: "sandbox for a new channel; both in a list")
    private static let policy = Parameter(
        "messageStoragePolicy", .integer(0...1), "1 stores the most recent message, 0 none.", example: "1",
        standard: "0")
    private static let id = Parameter(
        "id", .text, "The channel id, in standard base64.", example: "dHN0LXNyY2gtY2hubA==", standard: "random")

    // MARK: Handlers

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let app = try call.query.text(bundleID.name)
        let environment = try call.query.word(environment.name)
        let channels = call.simulator.channels.channels(now: call.simulator.clock.now().server).filter {
            (app == nil || $0.app.bundleID == app) && (environment == nil || $0.app.environment.rawValue == environment)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for channel in channels { write(channel, to: &writer) }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func create(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [bundleID, environment, policy, id])
        guard let app = try body.text(bundleID), !app.isEmpty else {
            throw Problem(
                .badBody, "The body has no \"bundleId\"; it names the app of the channel.",
                hint: #"Send {"bundleId": "com.acme.app"}."#)
        }
        let environment = Environment(rawValue: try body.word(environment) ?? "") ?? .sandbox
        let policy = MessageStoragePolicy(rawValue: try body.integer(policy) ?? 0) ?? .none
        let wanted = try body.text(id)
        if let wanted, let problem = ChannelRules.problem(ofChannelID: Array(wanted.utf8).span) {
            throw Problem(.badBody, "The id \(quoted(wanted)) is not a channel id: \(problem).")
        }
        do throws(ChannelStore.CreationError) {
            let now = call.simulator.clock.now().server
            let channel = try call.simulator.channels.create(.init(environment, app), policy, id: wanted, now: now)
            return .now(AdminResponse(status: 201, .json, json(channel)))
        } catch {
            throw conflict(error, wanted)
        }
    }

    private static func one(_ call: AdminCall) throws(Problem) -> Answering {
        .now(AdminResponse(.json, json(try channel(call))))
    }

    private static func delete(_ call: AdminCall) throws(Problem) -> Answering {
        let channel = try channel(call)
        call.simulator.channels.delete(channel.id)
        return .now(AdminResponse(.json, json(channel)))
    }

    private static func channel(_ call: AdminCall) throws(Problem) -> Channel {
        let id = call.captures["id"] ?? ""
        let channels = call.simulator.channels
        if let channel = channels.channel(id, now: call.simulator.clock.now().server) { return channel }
        throw Problem(
            .notFound, title: "No such channel", "There is no channel \(quoted(id)).",
            hint: channels.wasDeleted(id)
                ? "It was deleted; a broadcast to it is refused with ChannelNotRegistered."
                : "GET /v1/channels lists all of them; in a path, the / of an id is written %2F.")
    }

    private static func conflict(_ error: ChannelStore.CreationError, _ id: String?) -> Problem {
        switch error {
        case .idIsTaken:
            Problem(
                .conflict, "The id \(quoted(id ?? "")) is in use, or belonged to a channel that was deleted.",
                hint: "Leave id out, or POST /v1/reset first: ids of before are then free.")
        case .appIsFull(let limit):
            Problem(.conflict, title: "Too many channels", "The app has \(limit) channels, which is Apple's limit.")
        case .storeIsFull(let limit):
            Problem(.conflict, title: "Too many channels", "The server holds \(limit) channels, which is its limit.")
        }
    }

    // MARK: JSON

    private static func json(_ channel: Channel) -> [UInt8] {
        var writer = JSONWriter()
        write(channel, to: &writer)
        return writer.bytes
    }

    private static func write(_ channel: Channel, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(channel.id)
        writer.key("environment")
        writer.string(channel.app.environment.rawValue)
        writer.key("bundleId")
        writer.string(channel.app.bundleID)
        writer.key("messageStoragePolicy")
        writer.integer(channel.policy.rawValue)
        writer.key("createdAt")
        writer.time(millisecondsSince1970: channel.createdAt)
        writer.key("subscribers")
        writer.null()
        writer.key("published")
        writer.integer(channel.published)
        writer.key("lastMessage")
        if let message = channel.lastMessage { write(message, to: &writer) } else { writer.null() }
        writer.endObject()
    }

    private static func write(_ message: Channel.Message, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("apnsId")
        writer.string(message.requestID.description)
        writer.key("publishedAt")
        writer.time(millisecondsSince1970: message.publishedAt)
        writer.key("priority")
        writer.integer(message.priority)
        writer.key("expiration")
        writer.integer(message.expiration)
        writer.key("payloadBytes")
        writer.integer(message.size)
        writer.key("storedUntil")
        if let until = message.storedUntil { writer.time(millisecondsSince1970: until * 1000) } else { writer.null() }
        writer.key("payload")
        // What is no JSON was refused, in every profile.
        if message.payload.isEmpty {
            writer.null()
        } else {
            unsafe message.payload.withUnsafeBytes { unsafe writer.raw($0) }
        }
        writer.endObject()
    }
}
