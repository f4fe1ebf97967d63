import JSON
import Simulation

/// The server's clock, which a test stops, sets and moves instead of waiting.
enum ClockResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/clock", .state, "The server's time, and how it relates to the machine's.",
            details: """
                The age of provider tokens, their refresh interval, `apns-expiration`, the validity of client \
                certificates and `timestamp` go by this clock. Waits, durations of calls and `receivedAt` go by the \
                machine's; entries hold both.
                """,
            answers: [answer], examples: [AdminRoute.Example("What time is it there?", "/v1/clock")], handler: show),
        AdminRoute(
            .put, "/v1/clock", .state, "Set the clock: stand still, run beside the machine's, or with it.",
            details: "Exactly one member.", body: [freeze, offset, mode], answers: [answer],
            examples: [
                AdminRoute.Example("Stand still", "/v1/clock", body: #"{"freeze": "2026-01-01T00:00:00Z"}"#),
                AdminRoute.Example("Two hours behind", "/v1/clock", body: #"{"offset": "-2h"}"#),
                AdminRoute.Example("The machine's time again", "/v1/clock", body: #"{"mode": "real"}"#),
            ], tells: .clock, handler: set),
        AdminRoute(
            .post, "/v1/clock", .state, "Move the clock on, frozen or running.",
            details: "61 minutes turn the provider token that a sender keeps into `ExpiredProviderToken`.",
            body: [advance], answers: [answer],
            examples: [AdminRoute.Example("An hour and a minute later", "/v1/clock", body: #"{"advance": "61m"}"#)],
            tells: .clock, handler: move),
    ]

    private static let freeze = Parameter(
        "freeze", .form("a time (RFC 3339) or `now`"), "Where the clock stands still.", example: "2026-01-01T00:00:00Z")
    private static let offset = Parameter(
        "offset", .form("a duration, with a minus for behind"), "How far the clock runs ahead of the machine's.",
        example: "-2h")
    private static let mode = Parameter("mode", .word(["real"]), "The machine's time.", example: "real")
    private static let advance = Parameter(
        "advance", .form("a duration, with a minus for back"), "How far to move the clock.", example: "61m")
    private static let answer = AdminRoute.Answer(
        200, "`{\"now\": \"…\", \"mode\": \"real\", \"offsetMs\": 0}`; `mode` is real, offset or frozen.")

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        let clock = call.simulator.clock
        let now = clock.now()
        if call.preference == .text {
            var time = JSONWriter()
            time.time(millisecondsSince1970: now.server)
            let text = String(decoding: time.bytes, as: UTF8.self).filter { $0 != "\"" }
            return .now(AdminResponse(text: "\(text) \(clock.mode.rawValue)\n"))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("now")
        writer.time(millisecondsSince1970: now.server)
        writer.key("mode")
        writer.string(clock.mode.rawValue)
        writer.key("offsetMs")
        writer.integer(now.server - now.machine)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func set(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [freeze, offset, mode])
        guard body.members.count == 1 else {
            throw Problem(.badBody, "The body has \(body.members.count) members; expected one of freeze, offset, mode.")
        }
        let clock = call.simulator.clock
        if let text = try body.text(freeze) {
            guard let time = text == "now" ? clock.now().server : ClockSetting.time(text) else {
                throw body.bad(freeze, text)
            }
            clock.set(.frozen(time))
        } else if let difference = try body.difference(offset) {
            try check(clock.now().machine + difference)
            clock.set(.offset(difference))
        } else if try body.word(mode) != nil {
            clock.set(.real)
        } else {
            throw Problem(.badBody, "The member of the body is null; expected a value.")
        }
        return try show(call)
    }

    private static func move(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [advance])
        guard let difference = try body.difference(advance) else {
            throw Problem(.badBody, "The body has no member \"advance\"; expected \(advance.expected).")
        }
        let clock = call.simulator.clock
        try check(clock.now().server + difference)
        clock.advance(by: difference)
        return try show(call)
    }

    /// The clock stays where times can be written.
    private static func check(_ time: Int64) throws(Problem) {
        guard ClockSetting.range.contains(time) else {
            throw Problem(.badBody, "The clock would show a time outside of the years 1970 to 9999.")
        }
    }
}
