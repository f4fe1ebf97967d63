import Server
import Simulation

/// `clock`: the server's time, shown or set.
enum ClockCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
    }

    static let command = Command(
        "clock", "[now | freeze [TIME] | advance DURATION | offset DURATION | real]",
        "Shows or sets the server's clock, by which tokens age: `mock-apns clock advance 61m`.",
        notes: """
            TIME is one of RFC 3339 (2026-01-01T00:00:00Z), DURATION one with a unit (61m, 2h, 30s). A DURATION that goes
            back begins with a minus and stands behind two dashes: `mock-apns clock advance -- -2h`.
            """,
        settings: Settings(), flags: [Settings.clientFlags], operands: 0...2
    ) { result in
        let client = AdminClient(settings: result.settings.client)
        guard let (method, body) = try request(result.operands + result.rest) else {
            return try client.show("/v1/clock", Query())
        }
        return try client.change("/v1/clock", method: method, body: body)
    }

    /// What to ask for; nil when the clock is only read.
    private static func request(_ words: [String]) throws(UsageError) -> (method: String, body: [UInt8])? {
        let value = words.count > 1 ? words[1] : nil
        switch (words.first ?? "now", value) {
        case ("now", nil): return nil
        case ("freeze", _): return ("PUT", JSONBody.object(["freeze": .text(value ?? "now")]))
        case ("advance", let duration?): return ("POST", JSONBody.object(["advance": .text(duration)]))
        case ("offset", let duration?): return ("PUT", JSONBody.object(["offset": .text(duration)]))
        case ("real", nil): return ("PUT", JSONBody.object(["mode": .text("real")]))
        case ("advance", nil), ("offset", nil): throw UsageError("clock \(words[0]) needs a duration, such as 61m")
        case (let word, _):
            let known = ["now", "freeze", "advance", "offset", "real"]
            if known.contains(word) { throw UsageError("clock \(word) takes no further word") }
            let nearest = NearestName.of(word, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)")
        }
    }
}
