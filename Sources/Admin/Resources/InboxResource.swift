import APNs
import JSON
import Simulation

/// What a device would be showing now.
enum InboxResource {
    /// Its row of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/devices/{token}/inbox", .devices, "What the device would be showing now.",
            details: """
                Put together from the accepted pushes that the journal holds: the badge, Notification Center by app and \
                thread (the newest first; `replaces` counts the notifications of the same collapse id that it took the \
                place of), Live Activities, silent wake-ups, pushes that an app or an extension handles (`voip`, `widgets` \
                and the like), and what is not shown with the reason. While a registered device is `offline`, one push is \
                stored for each topic, the latest; it is delivered when the device is `online` again, unless its \
                `apns-expiration` is over on the server's clock. A token that is not registered is online. `truncated` says \
                that the journal has evicted entries, or that a list is cut at its \(Inbox.listLimit) newest.
                """,
            parameters: [through],
            answers: [
                AdminRoute.Answer(
                    200, "`{\"badge\": 3, \"center\": [...], \"liveActivities\": [...], \"silentWakeups\": 1, …}`"),
                AdminRoute.Answer(404, "That is no device token.", .problem),
            ],
            examples: [
                AdminRoute.Example("What does the user see?", "/v1/devices/$TOKEN/inbox"),
                AdminRoute.Example("In lines", "/v1/devices/$TOKEN/inbox", accept: "text/plain"),
                AdminRoute.Example("What did the first push show?", "/v1/devices/$TOKEN/inbox?through=1"),
            ], handler: show)
    ]

    private static let through = Parameter(
        "through", .integer(0...Int.max), "Only pushes up to this number (`seq`), and what the device was then.",
        example: "1042", standard: "all")

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        let token = (call.captures["token"] ?? "").lowercased()
        let through = try call.query.integer(through.name).map { UInt64($0) } ?? .max
        let simulator = call.simulator
        let device = simulator.devices.device(token)
        if device == nil, let problem = DeviceFields.problem(ofToken: token) {
            throw Problem(
                .notFound, title: "No such device", problem, hint: "GET /v1/devices lists the registered ones.")
        }
        let now = simulator.clock.now().server
        let snapshot = call.journal.snapshot()
        let bytes = Array(token.utf8)
        let entries = snapshot.entries.lazy.filter { $0.seq <= through && $0.isAccepted(forDevice: bytes) }
        let changes = device?.changes.filter { $0.cursor < through } ?? []
        let inbox = Inbox(entries, changes: changes, now: now)
        let isTruncated = snapshot.hasForgotten || inbox.isCut || device?.hasForgottenChanges == true
        let state = device == nil ? Device.State.active : changes.last?.state ?? .active
        let lines = InboxWriter(inbox: inbox) { call.journal.id(seq: $0) }
        if call.preference == .text {
            let head = "\(token)  \(device == nil ? "not registered" : state.rawValue)\n"
            let end = isTruncated ? "truncated: older pushes are not held any more\n" : ""
            return .now(AdminResponse(text: head + lines.text + end))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("device")
        writer.string(token)
        writer.key("registered")
        writer.boolean(device != nil)
        writer.key("state")
        writer.string(state.rawValue)
        writer.key("now")
        writer.time(millisecondsSince1970: now)
        lines.write(to: &writer)
        writer.key("truncated")
        writer.boolean(isTruncated)
        writer.key("cursor")
        writer.integer(min(snapshot.cursor, through))
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }
}
