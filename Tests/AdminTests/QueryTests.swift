import Testing

@testable import Admin

/// Parameters: known names, values, commas, escapes.
struct QueryTests {
    private static let route = AdminRoute(
        .get, "/v1/things", .requests, "Things.",
        parameters: [
            Parameter("device", .pattern(takesCommas: false), "", example: "x"),
            Parameter("collapseId", .pattern(takesCommas: true), "", example: "x"),
            Parameter("outcome", .words(["accepted", "rejected"]), "", example: "x"),
            Parameter("order", .word(["asc", "desc"]), "", example: "x"),
            Parameter("limit", .integer(1...1000), "", example: "x"),
            Parameter("wait", .duration(maximum: 60_000), "", example: "x"),
            Parameter("after", .cursor, "", example: "x"),
        ], takesPaths: true, answers: []
    ) { _ throws(Problem) in .now(AdminResponse(status: 200)) }

    private func query(_ text: String) throws -> Query { try Query(text, of: Self.route) }

    private func problem(_ text: String, _ read: (Query) throws -> Void = { _ in }) -> Problem? {
        do {
            try read(query(text))
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test(arguments: [
        ("devise=1", "device"), ("Device=1", "device"), ("colapseId=1", "collapseId"), ("limits=1", "limit"),
        ("pushType=alert", "type"), ("environment=sandbox", "env"),
        ("asp.alert.title=x", "aps.alert.title"), ("paylod.order.id=4", "payload.order.id"),
        ("heder.user-agent=4", "header.user-agent"),
    ])
    func `an unknown name is refused with the nearest known one`(text: String, nearest: String) {
        let problem = problem(text)
        #expect(problem?.kind == .unknownParameter)
        #expect(problem?.hint == "Did you mean \"\(nearest)\"?")
    }

    @Test func `a name near nothing is answered with what is known`() {
        #expect(problem("zzzzzzzz=1")?.hint?.contains("device, collapseId") == true)
    }

    @Test func `commas and repetition mean or`() throws {
        #expect(try query("device=a,b&device=c").values("device") == ["a", "b", "c"])
    }

    @Test func `an escaped comma separates device tokens and is part of free text`() throws {
        #expect(try query("device=a%2Cb").values("device") == ["a", "b"])
        #expect(try query("collapseId=a%2Cb,c").values("collapseId") == ["a,b", "c"])
        #expect(try query("aps.alert.body=Hello%2C+world").values("aps.alert.body") == ["Hello, world"])
    }

    @Test func `escapes are decoded in names and values`() throws {
        let query = try query("aps.alert%2Etitle=Gr%C3%BC%C3%9Fe%20+%2B")
        #expect(try query.values("aps.alert.title") == ["Grüße  +"])
        #expect(query.names == ["aps.alert.title"])
    }

    @Test(arguments: ["device=%", "device=%4", "device=%zz", "device=%FF", "%FF=1"])
    func `broken escapes are refused`(text: String) {
        #expect(problem(text) { _ = try $0.values("device") }?.kind == .badValue)
    }

    @Test(arguments: ["device=", "device=a,,b", "device", "collapseId=%"])
    func `an empty value is refused`(text: String) {
        let name = text.hasPrefix("device") ? "device" : "collapseId"
        #expect(problem(text) { _ = try $0.values(name) }?.kind == .badValue)
    }

    @Test func `a single value given twice is refused`() {
        #expect(problem("limit=1&limit=2")?.detail.contains("given twice") == true)
    }

    @Test(arguments: ["0", "1001", "-1", "x", "1.5", "99999999999999999999", "٣"])
    func `a number outside its range names parameter, value and range`(value: String) {
        let problem = problem("limit=\(value)") { _ = try $0.integer("limit") }
        #expect(problem?.kind == .badValue)
        #expect(
            problem?.detail
                == "The parameter \"limit\" has the value \"\(value)\"; expected a whole number from 1 to 1000.")
    }

    @Test(arguments: [("250ms", 250), ("5s", 5000), ("1m", 60_000), ("1500", 1500), ("1.5s", 1500), ("0", 0)])
    func `durations are read`(text: String, milliseconds: Int64) throws {
        #expect(try query("wait=\(text)").duration("wait") == milliseconds)
    }

    @Test(arguments: ["61s", "5 s", "s", "-1s", "1.s", ".5s", "1e3", "5S", "2w", "1.5", "9999999999999999d"])
    func `what is no duration, or too long, is refused`(text: String) {
        let problem = problem("wait=\(PercentText.encode(text))") { _ = try $0.duration("wait") }
        #expect(problem?.kind == .badValue)
        #expect(problem?.detail.contains(#"such as "250ms" or "5s""#) == true)
    }

    @Test func `a misspelt word gets a suggestion`() {
        #expect(problem("order=desk") { _ = try $0.word("order") }?.hint == #"Did you mean "desc"?"#)
        #expect(problem("outcome=acepted") { _ = try $0.values("outcome") }?.hint == #"Did you mean "accepted"?"#)
    }

    @Test func `control characters of a guest do not reach the message`() {
        #expect(problem("x%0Ay=1")?.detail.contains(#""x\u{a}y""#) == true)
    }

    @Test func `encoding and decoding are inverse`() {
        for text in ["a b+c", "Grüße, 100 %", "&=#?/\u{0}"] {
            #expect(PercentText.decode(PercentText.encode(text), plusIsSpace: true) == text)
        }
    }
}
