import APNs
import JSON
import Simulation

/// The devices that the server knows.
enum DeviceResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/devices", .devices, "The registered devices, in the order of their registration.",
            details: """
                A push to a registered device is checked against it: its environment (`BadDeviceToken`), its topics \
                (`DeviceTokenNotForTopic`), its state (`Unregistered` or `ExpiredToken`). Other well-formed tokens are \
                accepted, unless the server runs with `--unknown-devices reject`. `next` is the `after` of the next \
                page, null on the last.
                """,
            parameters: [token, states, topic, environment, after, limit],
            answers: [AdminRoute.Answer(200, "`{\"items\": [...], \"matched\": 3, \"returned\": 3, \"next\": null}`")],
            examples: [
                AdminRoute.Example("All devices", "/v1/devices"),
                AdminRoute.Example("Which tokens are good no more?", "/v1/devices?state=unregistered,expired"),
                AdminRoute.Example("In lines", "/v1/devices?limit=10", accept: "text/plain"),
            ], handler: list),
        AdminRoute(
            .post, "/v1/devices", .devices, "Register devices, with random tokens or a sender's own.",
            details: "All of them or none. As text the answer is the tokens alone, one a line.",
            body: DeviceFields.registration,
            answers: [
                AdminRoute.Answer(201, "`{\"items\": [{\"token\": \"6f1e…\", \"state\": \"active\", …}]}`"),
                AdminRoute.Answer(409, "A token is registered already, or there are too many devices.", .problem),
            ],
            examples: [
                AdminRoute.Example(
                    "Three devices of an app", "/v1/devices",
                    body: #"{"count": 3, "topics": ["com.acme.app"], "environment": "sandbox", "os": "iOS 18"}"#,
                    status: 201),
                AdminRoute.Example(
                    "A token of your own, gone for an hour", "/v1/devices",
                    body: #"{"token": "\#(exampleToken)", "state": "unregistered", "since": "-1h"}"#, status: 201),
            ], tells: .device, handler: add),
        AdminRoute(
            .get, "/v1/devices/{token}", .devices, "One device.",
            answers: [AdminRoute.Answer(200, "The device."), noDevice],
            examples: [AdminRoute.Example("One device", "/v1/devices/$TOKEN")], handler: show),
        AdminRoute(
            .patch, "/v1/devices/{token}", .devices, "Change a device: its state, topics, environment.",
            details: """
                Counts from the next push on. A device that goes `offline` stores pushes as Apple does, and gets them when \
                it is `online` again.
                """,
            body: DeviceFields.change, answers: [AdminRoute.Answer(200, "The device as it is now."), noDevice],
            examples: [
                AdminRoute.Example(
                    "The app was removed an hour ago", "/v1/devices/$TOKEN",
                    body: #"{"state": "unregistered", "since": "-1h"}"#),
                AdminRoute.Example("No network", "/v1/devices/$TOKEN", body: #"{"state": "offline"}"#),
            ], tells: .device, handler: change),
        AdminRoute(
            .delete, "/v1/devices/{token}", .devices, "Forget a device; its token is unknown then.",
            answers: [AdminRoute.Answer(200, "`{\"removed\": \"6f1e…\"}`"), noDevice],
            examples: [AdminRoute.Example("Forget it", "/v1/devices/$TOKEN")], tells: .device,
            handler: remove),
    ]

    private static let exampleToken = "a07c" + String(repeating: "11", count: 30)
    private static let noDevice = AdminRoute.Answer(404, "No such device.", .problem)
    private static let token = Parameter(
        "token", .pattern(takesCommas: false), "Tokens.", example: "6f1e*", standard: "all")
    private static let states = Parameter(
        "state", .words(Device.State.allCases.map(\.rawValue)), "States.", example: "offline", standard: "all")
    private static let topic = Parameter(
        "topic", .text, "Only devices whose token is good for this topic.", example: "com.acme.app")
    private static let environment = Parameter(
        "env", .word(Environment.allCases.map(\.rawValue)), "The environment.", example: "sandbox", standard: "both")
    private static let after = Parameter(
        "after", .integer(0...Int.max), "Only devices with a higher `number`.", example: "100", standard: "0")
    private static let limit = Parameter(
        "limit", .integer(1...AdminLimits.page), "How many devices at most.", example: "10",
        standard: "\(AdminLimits.pageDefault)")

    // MARK: Reading

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let patterns = try call.query.values(token.name).map { TopicPattern($0.lowercased()) }
        let (length, count) = (patterns.reduce(0) { $0 + $1.text.utf8.count }, call.simulator.devices.all.count)
        let cost = length.multipliedReportingOverflow(by: max(1, count) * AdminLimits.deviceTokenBytes)
        if cost.overflow || cost.partialValue > MatchCost.queryLimit {
            throw WaitProblem.tooCostly(
                "These patterns can take \(cost.overflow ? "far too many" : String(cost.partialValue)) steps for \(count) "
                    + "devices; there may be \(MatchCost.queryLimit).",
                budget: MatchCost.queryLimit, used: cost.overflow ? .max : cost.partialValue)
        }
        let wanted = Set(try call.query.values(states.name))
        let topic = try call.query.text(topic.name).map { Array($0.utf8) }
        let environment = try call.query.word(environment.name)
        let after = UInt64(try call.query.integer(after.name) ?? 0)
        let limit = try call.query.integer(limit.name) ?? AdminLimits.pageDefault
        let matching = call.simulator.devices.all.filter { device in
            let bytes = Array(device.token.utf8)
            return device.number > after && (wanted.isEmpty || wanted.contains(device.state.rawValue))
                && (environment == nil || device.environment.rawValue == environment)
                && (topic.map { device.takes($0.span) } ?? true)
                && (patterns.isEmpty || patterns.contains { $0.matches(bytes.span) })
        }
        let page = matching.prefix(limit)
        let next = matching.count > page.count ? page.last?.number : nil
        if call.preference == .text {
            let more = next.map { "… \(matching.count - page.count) more: after=\($0)\n" } ?? ""
            return .now(AdminResponse(text: page.map { DeviceWriter.line($0) + "\n" }.joined() + more))
        }
        var writer = JSONWriter()
        writer.beginObject()
        write(Array(page), to: &writer)
        writer.key("matched")
        writer.integer(matching.count)
        writer.key("returned")
        writer.integer(page.count)
        writer.key("next")
        writer.integer(next)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        let token = call.captures["token"] ?? ""
        guard let device = call.simulator.devices.device(token) else { throw missing(token) }
        return answer(device, call)
    }

    // MARK: Changing

    private static func add(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, DeviceFields.registration)
        let now = call.simulator.clock.now().server
        let tokens = try DeviceFields.tokens(body)
        let count = try body.integer(DeviceFields.count)
        if tokens != nil, count != nil {
            throw Problem(.badBody, "The body has both \"token\" and \"count\"; expected one of them.")
        }
        let change = try DeviceFields.change(body, now: now, cursor: call.journal.cursor)
        func made(_ token: String) -> Device {
            var device = Device(token: token, now: now)
            change(&device)
            return device
        }
        let devices: [Device]
        do throws(DeviceStore.RegistrationError) {
            devices =
                if let tokens {
                    try call.simulator.devices.register(tokens.map(made))
                } else {
                    try call.simulator.devices.register(count ?? 1, like: made(""))
                }
        } catch {
            throw conflict(error)
        }
        if call.preference == .text {
            return .now(AdminResponse(status: 201, text: devices.map { $0.token + "\n" }.joined()))
        }
        var writer = JSONWriter()
        writer.beginObject()
        write(devices, to: &writer)
        writer.endObject()
        return .now(AdminResponse(status: 201, .json, writer.bytes))
    }

    private static func change(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, DeviceFields.change)
        let token = call.captures["token"] ?? ""
        let change = try DeviceFields.change(
            body, now: call.simulator.clock.now().server, cursor: call.journal.cursor)
        guard let changed = call.simulator.devices.update(token, change) else { throw missing(token) }
        return answer(changed, call)
    }

    private static func remove(_ call: AdminCall) throws(Problem) -> Answering {
        let token = call.captures["token"] ?? ""
        guard let removed = call.simulator.devices.remove(token) else { throw missing(token) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("removed")
        writer.string(removed.token)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    // MARK: Answers

    private static func missing(_ token: String) -> Problem {
        Problem(
            .notFound, title: "No such device", "There is no device \(quoted(token)).",
            hint: "POST /v1/devices registers one, GET /v1/devices lists all.")
    }

    private static func conflict(_ error: DeviceStore.RegistrationError) -> Problem {
        switch error {
        case .isTaken(let token):
            Problem(
                .conflict, "The device token \(quoted(token)) is registered already, or stands twice in the body.",
                hint: "PATCH /v1/devices/\(token) changes it, DELETE forgets it.")
        case .isFull(let limit):
            Problem(
                .conflict, title: "Too many devices", "The server holds \(limit) devices, which is its limit.",
                hint: "DELETE /v1/devices/{token} forgets one, POST /v1/reset all.")
        }
    }

    private static func answer(_ device: Device, _ call: AdminCall) -> Answering {
        if call.preference == .text { return .now(AdminResponse(text: DeviceWriter.line(device) + "\n")) }
        var writer = JSONWriter()
        DeviceWriter.write(device, to: &writer)
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func write(_ devices: [Device], to writer: inout JSONWriter) {
        writer.key("items")
        writer.beginArray()
        for device in devices { DeviceWriter.write(device, to: &writer) }
        writer.endArray()
    }
}
