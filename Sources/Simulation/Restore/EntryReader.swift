import APNs
import HTTP
import JSON

/// Makes entries of the JSON objects that ``EntryRenderer`` writes: lines of an inspection log, of an export, items of a list.
///
/// What the object does not hold stays unknown: the signature of a token, the cipher and the certificate of a connection, when
/// an answer went out (in the log), the header fields of an accepted push (in the log, where most have members of their own).
package struct EntryReader {
    /// Why an object is no entry.
    package struct Fault: Error, Sendable, Equatable {
        /// The member, as a dotted path; empty for the whole.
        package let path: String
        /// What was found and what was expected.
        package let message: String

        package init(_ path: String, _ message: String) {
            self.path = path
            self.message = message
        }
    }

    /// The highest number of an entry or a connection that is believed: up to it numbers can go on for ever.
    package static let numberLimit: UInt64 = 1 << 53
    /// How long an answer may have taken, in milliseconds: as long as a clock can be set wrong while it is under way.
    package static let answerTimeLimit = ClockSetting.differenceLimit
    /// How long an id may be.
    package static let idLimit = 200

    private var connections: [PeerKey: PeerConnectionReference] = [:]
    private var senders: [String: SenderReference] = [:]

    private struct PeerKey: Hashable {
        let text: String
        let environment: Environment
    }

    /// A reader that has seen nothing; entries that it reads share what they have in common.
    package init() {}

    /// Whether a text can be an entry's id: it stands in links and in JSON as it is.
    static func isID(_ text: String) -> Bool {
        (1...idLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
    }

    /// The entry of a JSON object; its number is the one that it had.
    package mutating func entry(_ object: EntryObject) throws(Fault) -> JournalEntry {
        if let name = object.doubledName { throw Fault(name, "it stands twice; expected once") }
        let id = try object.text("id")
        guard Self.isID(id) else {
            throw Fault("id", "expected an id as of this server: letters, digits, - and _, at most \(Self.idLimit)")
        }
        let seq = try object.number("seq", in: 1...Int64(Self.numberLimit))
        let outcome: JournalEntry.Outcome = try object.word("outcome")
        let receivedAt = try object.moment("receivedAt") ?? 0
        let environment: Environment = try object.optionalWord("environment") ?? .sandbox
        let builder = RestoredRequest(object)
        var content = JournalEntry.Content(
            receivedAt: receivedAt, serverTime: try object.moment("serverTime") ?? receivedAt, outcome: outcome,
            request: try builder.request(), connection: try connection(object, environment))
        content.environment = environment
        content.profile = try object.optionalWord("profile") ?? .strict
        if let broken = object.object("broken") {
            content.breakage = try Self.breakage(broken)
        } else {
            content.sender = try sender(object, serverTime: content.serverTime)
            try Self.readRequest(object, into: &content)
            try RestoredRejection(object).read(into: &content)
            content.findings = try Self.findings(object)
        }
        content.rule = try Self.rule(object)
        if content.rule?.outcome == FaultKind.silentlyDiscard.rawValue { content.rare.isDiscarded = true }
        if try object.optionalBoolean("revised") == true { content.rare.isRevised = true }
        content.restored = JournalEntry.Restored(id: id, hasHeaders: builder.hasHeaders)
        let entry = JournalEntry(content)
        entry.assign(seq: UInt64(seq))
        let answerTimes = 0...Self.answerTimeLimit
        if let after = try object.object("response")?.optionalNumber("afterMs", in: answerTimes) {
            entry.answered(afterMilliseconds: after)
        }
        return entry
    }

    // MARK: What entries share

    private mutating func connection(
        _ object: EntryObject, _ environment: Environment
    ) throws(Fault) -> PeerConnectionReference {
        guard let facts = object.object("connection") else { throw Fault("connection", "expected an object") }
        let name = try facts.text("id")
        guard name.hasPrefix("c"), let id = UInt64(name.dropFirst()), id <= Self.numberLimit else {
            throw Fault("connection.id", "found \"\(name.prefix(40))\"; expected c and a number")
        }
        var peer = PeerConnection(id: id, peer: try facts.text("peer"), listener: try facts.text("listener"))
        peer.serverName = try facts.optionalText("serverName")
        peer.alpn = try facts.optionalText("alpn")
        peer.tlsVersion = try facts.optionalText("tlsVersion")
        peer.environment = environment
        let key = PeerKey(
            text: "\(id) \(peer.peer) \(peer.listener) \(peer.serverName ?? "")", environment: environment)
        if let known = connections[key], known.value.alpn == peer.alpn, known.value.tlsVersion == peer.tlsVersion {
            return known
        }
        let reference = PeerConnectionReference(peer)
        connections[key] = reference
        return reference
    }

    private mutating func sender(_ object: EntryObject, serverTime: Int64) throws(Fault) -> SenderReference {
        guard let facts = object.object("auth") else { throw Fault("auth", "expected an object") }
        switch try facts.text("method") {
        case "none": return .none
        case "certificate":
            let subject = try facts.text("subject")
            if let known = senders["certificate " + subject] { return known }
            let reference = SenderReference(.certificate(subject: subject))
            senders["certificate " + subject] = reference
            return reference
        case "token":
            let (keyID, teamID) = (try facts.text("keyId"), try facts.text("teamId"))
            let signature = Self.signature(try facts.text("signature"))
            let age = try facts.optionalNumber("tokenAgeMs", in: -(1 << 53)...(1 << 53))
            // An age that could not be written is that of a time beyond all numbers.
            let issuedAt = age.map { Double(serverTime - $0) / 1000 } ?? .infinity
            let key = "token \(keyID) \(teamID) \(issuedAt) \(signature)"
            if let known = senders[key] { return known }
            let reference = SenderReference(
                .token(keyID: keyID, teamID: teamID, issuedAt: issuedAt, signature: signature))
            senders[key] = reference
            return reference
        case let method:
            throw Fault("auth.method", "found \"\(method.prefix(40))\"; expected none, token or certificate")
        }
    }

    private static func signature(_ text: String) -> StaticString {
        switch text {
        case "verified": "verified"
        case "invalid": "invalid"
        default: "unknown key"
        }
    }

    // MARK: One entry

    private static func breakage(_ object: EntryObject) throws(Fault) -> JournalEntry.Breakage {
        let digits = Array(try object.text("firstBytes").utf8)
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
                throw Fault("broken.firstBytes", "expected hexadecimal digits")
            }
            bytes.append(byte)
        }
        return JournalEntry.Breakage(
            cause: try object.text("cause"), explanation: try object.text("explanation"), firstBytes: bytes)
    }

    private static func readRequest(_ object: EntryObject, into content: inout JournalEntry.Content) throws(Fault) {
        let request = content.request
        content.pushType = try object.optionalWord("pushType")
        content.isPushTypeInferred = try object.optionalBoolean("pushTypeInferred") ?? false
        content.priority = UInt8(try object.number("priority", in: 0...255))
        content.apnsID = try object.uuid("apnsId")
        content.apnsUniqueID = try object.uuid("apnsUniqueId")
        content.payloadLimit = Int(try object.number("payloadLimit", in: 0...Int64(Int32.max)))
        content.topic = request.valueRange(.apnsTopic)
        if let device = try object.optionalText("device") {
            content.device = RestoredRequest.place(of: device, in: request)
        }
        if try object.optionalText("collapseId") != nil { content.collapseID = request.valueRange(.apnsCollapseID) }
        if let expiration = object.object("expiration"), try expiration.optionalText("meaning") != nil {
            content.expiration = try expiration.optionalText("header").flatMap { Int64($0) }
        }
        try readKind(object, into: &content)
        var document = JSONDocument()
        _ = document.parse(request.storage, in: request.bodyRange)
        content.payload = PayloadFacts(document)
        if let connection = object.object("connection") {
            content.stream = Int32(try connection.number("stream", in: 0...Int64(Int32.max)))
            content.requestsOnConnection = Int(
                try connection.number("requestsOnConnection", in: 0...Int64(Int32.max)))
        }
        guard let response = object.object("response") else { throw Fault("response", "expected an object") }
        content.status = UInt16(try response.optionalNumber("status", in: 0...999) ?? 0)
        content.reason = try response.reason("reason")
    }

    /// What is kept of broadcasts and of requests that manage channels; the topic of a certificate of a device push.
    private static func readKind(_ object: EntryObject, into content: inout JournalEntry.Content) throws(Fault) {
        let kind: RequestKind = try object.optionalWord("kind") ?? .device
        let topic = try object.optionalText("topic")
        guard kind != .device else {
            if content.topic == nil { content.defaultTopic = topic }
            return
        }
        let operation: ChannelOperation? = try object.optionalWord("operation")
        let place = topic.flatMap { RestoredRequest.place(of: $0, in: content.request) }
        content.channelRequest = ChannelRequest(
            operation, bundleID: place ?? 0..<0, channel: try object.optionalText("channel"))
    }

    private static func findings(_ object: EntryObject) throws(Fault) -> [Finding] {
        var findings: [Finding] = []
        for element in object.objects("findings") {
            let word = try element.text("code")
            guard let code = FindingCode.all.first(where: { $0.code.description == word }) else {
                throw Fault("findings", "the code \"\(word.prefix(40))\" is none that this version knows")
            }
            findings.append(
                Finding(
                    code, path: try element.text("path"), found: try element.text("found"),
                    message: try element.text("message"), fix: try element.text("fix")))
        }
        return findings
    }

    private static func rule(_ object: EntryObject) throws(Fault) -> JournalEntry.RuleUse? {
        guard let rule = object.object("rule") else { return nil }
        return JournalEntry.RuleUse(
            id: try rule.text("id"), attempt: Int(try rule.number("attempt", in: 0...Int64(numberLimit))),
            draw: rule.double("draw"), outcome: try rule.optionalText("outcome"),
            delayMilliseconds: try rule.optionalNumber("delayMs", in: 0...Int64(numberLimit)) ?? 0)
    }
}
