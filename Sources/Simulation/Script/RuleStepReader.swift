import APNs
import HTTP
import JSON
import TLS

/// Reads what a rule does: one outcome, a delay, or a sequence of those.
struct RuleStepReader {
    /// The members of an outcome that is no fault.
    static let outcomes = ["accept", "reason", "response", "fault", "settings", "drop-after"]
    /// All members of a step.
    static let members =
        outcomes + [
            "delay", "status", "timestamp", "code", "lastStream", "linger", "interval", "alert", "requests",
            "maxConcurrentStreams",
        ]
    /// How long a byte of a dribbled body takes unless `interval` says otherwise, in milliseconds.
    static let dribbleInterval: Int64 = 100
    /// The word for a connection that stays behind GOAWAY until its peer leaves.
    static let forever = "forever"
    /// The largest `maxConcurrentStreams` and `requests`.
    static let numberLimit = 1_000_000

    /// The server's clock when the rule is made.
    let now: Int64
    /// Where the rule stands, for messages; empty when it stands alone.
    var path = ""

    /// Reads `then` into the rule.
    func read(_ document: JSONDocument, _ element: JSONElement, into rule: inout Rule) throws(RuleError) {
        let then = RuleObject.join(path, "then")
        let isSequence = document.kind(element) == .object && document.member("sequence", of: element) != nil
        guard isSequence else {
            // `continue` may stand here as well.
            let object = try RuleObject(document, element, path: then, names: Self.members + ["continue"])
            if let continues = try object.boolean("continue") { rule.continues = continues }
            rule.steps = [try step(object, mayBeDelay: true)]
            return
        }
        let object = try RuleObject(document, element, path: then, names: ["sequence", "atEnd"])
        let elements = try object.elements("sequence") ?? []
        guard (1...Rule.stepLimit).contains(elements.count) else {
            throw object.bad("sequence", "1 to \(Rule.stepLimit) outcomes")
        }
        rule.isSequence = true
        rule.end = try object.word("atEnd", Rule.End.allCases.map(\.rawValue)).flatMap { .init(rawValue: $0) } ?? .pass
        for (index, step) in elements.enumerated() {
            let object = try RuleObject(document, step, path: "\(then).sequence[\(index)]", names: Self.members)
            rule.steps.append(try self.step(object, mayBeDelay: true))
        }
    }

    private func step(_ object: RuleObject, mayBeDelay: Bool) throws(RuleError) -> RuleStep {
        let delay = try delay(object)
        var given = object.names(among: Self.outcomes)
        // The reason of a fault is part of it.
        if given.contains("fault") { given.removeAll { $0 == "reason" } }
        if given.count > 1 {
            throw RuleError(
                object.path, "\(object.path) has \(given.joined(separator: " and ")); expected exactly one outcome.")
        }
        guard let name = given.first else {
            if delay != nil { return RuleStep(outcome: nil, delay: delay) }
            throw RuleError(
                object.path,
                "\(object.path) says nothing; expected one of \(Self.outcomes.joined(separator: ", ")), or a delay.")
        }
        return RuleStep(outcome: try outcome(name, object), delay: delay)
    }

    private func outcome(_ name: String, _ object: RuleObject) throws(RuleError) -> RuleOutcome {
        switch name {
        case "accept":
            try only(["accept"], object)
            guard try object.boolean("accept") == true else { throw object.bad("accept", "true") }
            return .accept
        case "reason":
            try only(["reason", "status", "timestamp"], object)
            guard let refusal = try refusal(object) else { throw object.bad("reason", "one of Apple's reasons") }
            return .reject(refusal)
        case "response":
            try only(["response"], object)
            return .respond(try response(object))
        case "settings":
            try only(["settings"], object)
            return .fault(try settings(inner(object, "settings", ["maxConcurrentStreams"])), nil)
        case "drop-after":
            try only(["drop-after"], object)
            return .fault(try dropAfter(inner(object, "drop-after", ["requests"])), nil)
        default:
            return try fault(object)
        }
    }

    /// Refuses members that mean nothing beside the outcome.
    private func only(_ names: [String], _ object: RuleObject) throws(RuleError) {
        let others = Self.members.filter { !names.contains($0) && $0 != "delay" }
        guard let extra = object.names(among: others).first else { return }
        throw RuleError(
            RuleObject.join(object.path, extra),
            "\(RuleObject.join(object.path, extra)) means nothing beside \(names[0]).")
    }

    private func inner(_ object: RuleObject, _ name: String, _ names: [String]) throws(RuleError) -> RuleObject {
        guard let element = object[name] else { throw object.bad(name, "an object") }
        return try RuleObject(
            object.document, element, path: RuleObject.join(object.path, name), names: names)
    }

    // MARK: Answers

    private func refusal(_ object: RuleObject) throws(RuleError) -> RuleOutcome.Refusal? {
        guard let word = try object.text("reason") else { return nil }
        guard let reason = Reason(wire: word) else {
            let words = Reason.allCases.map(\.word)
            throw object.bad(
                "reason", "one of Apple's reasons, see GET /v1/reasons", NearestName.of(word, among: words))
        }
        var refusal = RuleOutcome.Refusal(reason: reason)
        refusal.status = try object.integer("status", in: 200...599).map { UInt16($0) }
        if let member = object["timestamp"] {
            if let number = object.document.integer(member) {
                refusal.timestamp = .at(number)
            } else if let text = object.document.string(member), let time = RuleTime(text) {
                refusal.timestamp = time
            } else {
                throw object.bad("timestamp", RuleTime.expected + ", or milliseconds since 1970")
            }
        }
        return refusal
    }

    private func response(_ object: RuleObject) throws(RuleError) -> RuleOutcome.Response {
        let response = try inner(object, "response", ["status", "body", "headers"])
        guard let status = try response.integer("status", in: 200...599) else {
            throw response.bad("status", "a whole number from 200 to 599")
        }
        var fields: [(name: String, value: String)] = []
        if let headers = response["headers"] {
            let document = response.document
            guard document.kind(headers) == .object, document.count(of: headers) <= RuleOutcome.fieldLimit else {
                throw response.bad("headers", "an object of at most \(RuleOutcome.fieldLimit) texts")
            }
            for member in document.children(of: headers) {
                guard let name = document.key(of: member), let value = document.string(member),
                    Self.isField(name, value)
                else {
                    throw response.bad("headers", "names in lower case, and texts without control characters")
                }
                fields.append((name, value))
            }
        }
        return RuleOutcome.Response(
            status: UInt16(status), body: try body(response), fields: fields)
    }

    /// A body is a text as it is, or any other JSON as it is written.
    private func body(_ response: RuleObject) throws(RuleError) -> [UInt8] {
        guard let member = response["body"] else { return [] }
        let body = Array((response.document.string(member) ?? response.document.written(member)).utf8)
        guard body.count <= RuleOutcome.bodyLimit else {
            throw response.bad("body", "at most \(RuleOutcome.bodyLimit) bytes")
        }
        return body
    }

    /// Whether HTTP/2 can carry the field.
    private static func isField(_ name: String, _ value: String) -> Bool {
        let isName =
            !name.isEmpty && name.utf8.count <= 100
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
        return isName && value.utf8.count <= RuleOutcome.fieldValueLimit
            && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    }

    // MARK: Faults

    private func fault(_ object: RuleObject) throws(RuleError) -> RuleOutcome {
        let text = try object.text("fault") ?? ""
        let pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
        let words = FaultKind.allCases.map(\.rawValue)
        guard let kind = FaultKind(rawValue: pieces.first ?? ""), pieces.count == 1 || kind == .tlsAlert else {
            throw object.bad("fault", "one of " + words.joined(separator: ", "), NearestName.of(text, among: words))
        }
        try only(["fault"] + kind.members, object)
        switch kind {
        case .acceptThenDrop: return .fault(.acceptThenDrop, nil)
        case .hang: return .fault(.hang, nil)
        case .silentlyDiscard: return .fault(.silentlyDiscard, nil)
        case .resetStream: return .fault(.resetStream(try code(object) ?? .refusedStream), nil)
        case .headersOnly: return .fault(.headersOnly, try refusal(object))
        case .truncateBody: return .fault(.truncateBody, try refusal(object) ?? .init(reason: .internalServerError))
        case .dribble:
            let interval = try object.duration("interval", limit: RuleDelay.limit) ?? Self.dribbleInterval
            return .fault(
                .dribble(interval: max(interval, 1)), try refusal(object) ?? .init(reason: .internalServerError))
        case .goAway: return .fault(try goAway(object), nil)
        case .close: return .fault(.close, nil)
        case .rst: return .fault(.rst, nil)
        case .stallWrites: return .fault(.stallWrites, nil)
        case .ignorePing: return .fault(.ignorePing, nil)
        case .settings: return .fault(try settings(object), nil)
        case .refuseConnect: return .fault(.refuseConnect, nil)
        case .tlsAlert: return .fault(try alert(object, pieces.count > 1 ? pieces[1] : nil), nil)
        case .dropAfter: return .fault(try dropAfter(object), nil)
        }
    }

    private func code(_ object: RuleObject) throws(RuleError) -> HTTP2ErrorCode? {
        guard let member = object["code"] else { return nil }
        let names = HTTP2ErrorCode.allCases.map(\.name)
        if let number = object.document.integer(member).flatMap({ UInt32(exactly: $0) }) {
            if let code = HTTP2ErrorCode(rawValue: number) { return code }
        } else if let name = object.document.string(member) {
            if let code = HTTP2ErrorCode.allCases.first(where: { $0.name == name.uppercased() }) { return code }
            throw object.bad("code", "one of " + names.joined(separator: ", "), NearestName.of(name, among: names))
        }
        throw object.bad("code", "one of " + names.joined(separator: ", "))
    }

    private func goAway(_ object: RuleObject) throws(RuleError) -> RuleFault {
        let words = RuleFault.LastStream.allCases.map(\.rawValue)
        let last = try object.word("lastStream", words).flatMap { RuleFault.LastStream(rawValue: $0) } ?? .all
        return .goAway(
            try code(object) ?? .noError, reason: try object.text("reason"), lastStream: last,
            linger: try linger(object))
    }

    /// How long the connection stays behind GOAWAY: a duration, or "forever".
    private func linger(_ object: RuleObject) throws(RuleError) -> RuleFault.Linger {
        guard let member = object["linger"] else { return .none }
        if object.document.string(member) == Self.forever { return .forever }
        guard let milliseconds = RuleObject.duration(object.document, member), milliseconds <= RuleDelay.limit else {
            throw object.bad("linger", "a duration of at most ten minutes such as \"30s\", or \"\(Self.forever)\"")
        }
        return milliseconds > 0 ? .milliseconds(milliseconds) : .none
    }

    private func settings(_ object: RuleObject) throws(RuleError) -> RuleFault {
        guard let streams = try object.integer("maxConcurrentStreams", in: 0...Self.numberLimit) else {
            throw object.bad("maxConcurrentStreams", "a whole number from 0 to \(Self.numberLimit)")
        }
        return .settings(maxConcurrentStreams: UInt32(streams))
    }

    private func dropAfter(_ object: RuleObject) throws(RuleError) -> RuleFault {
        guard let requests = try object.integer("requests", in: 1...Self.numberLimit) else {
            throw object.bad("requests", "a whole number from 1 to \(Self.numberLimit)")
        }
        return .dropAfter(requests: requests)
    }

    private func alert(_ object: RuleObject, _ short: String?) throws(RuleError) -> RuleFault {
        let name = try object.text("alert") ?? short ?? "handshake_failure"
        guard let number = TLSAlertNumber.byName[name] else {
            let names = TLSAlertNumber.byName.keys.sorted()
            throw RuleError(
                RuleObject.join(object.path, "alert"),
                "\(name) is no alert of TLS; expected one of \(names.joined(separator: ", ")).",
                suggestion: NearestName.of(name, among: names))
        }
        return .tlsAlert(number)
    }

    // MARK: Delays

    private func delay(_ object: RuleObject) throws(RuleError) -> RuleDelay? {
        guard let member = object["delay"] else { return nil }
        let document = object.document
        guard document.kind(member) == .object else {
            return try object.duration("delay", limit: RuleDelay.limit).map { .fixed($0) }
        }
        let path = RuleObject.join(object.path, "delay")
        let shapes = try RuleObject(document, member, path: path, names: ["uniform", "lognormal"])
        if let ends = try shapes.elements("uniform"), !shapes.has("lognormal") {
            let span = ends.compactMap { RuleObject.duration(document, $0) }
            guard ends.count == 2, span.count == 2, span[0] <= span[1], span[1] <= RuleDelay.limit else {
                throw shapes.bad("uniform", #"two durations, the shorter first: ["50ms", "200ms"]"#)
            }
            return .uniform(span[0], span[1])
        }
        guard let element = shapes["lognormal"], !shapes.has("uniform") else {
            throw RuleError(path, "\(path) needs one of uniform and lognormal.")
        }
        let shape = try RuleObject(document, element, path: path + ".lognormal", names: ["median", "sigma", "max"])
        guard let median = try shape.duration("median", limit: RuleDelay.limit),
            let sigma = try shape.number("sigma", in: 0...RuleDelay.sigmaLimit)
        else { throw shapes.bad("lognormal", #"{"median": "80ms", "sigma": 0.4, "max": "2s"}"#) }
        let longest = try shape.duration("max", limit: RuleDelay.limit) ?? RuleDelay.limit
        return .lognormal(median: median, sigma: sigma, max: longest)
    }
}
