import APNs
import HTTP
import Simulation

/// The push that `POST /v1/send` is about.
struct SendOrder {
    /// The push, ready to be signed and sent.
    let order: PushOrder

    static let keyID = Parameter(
        "keyId", .text, "The key that signs the provider token; its private half must be here.", example: "MOCK000001",
        standard: "the key of the ready line")
    static let replay = Parameter(
        "replay", .text, "The entry to send again, by its `id` or `seq`; nothing else can then be given but `keyId`.",
        example: "n_…")

    /// All members of the body.
    static let members = ExplainOrder.requestMembers + [keyID, replay]

    /// Fields that belong to a connection of HTTP/1.1, or that HTTP/2 writes itself.
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "host", "content-length",
        "expect",
    ]

    /// Reads an order.
    init(_ call: AdminCall) throws(Problem) {
        let body = try BodyFields(call.request.body, Self.members)
        let keyID = try body.text(Self.keyID)
        if let id = try body.text(Self.replay) {
            if let other = body.members.keys.sorted().first(where: {
                ![Self.replay.name, Self.keyID.name].contains($0)
            }) {
                throw Problem(.badBody, "The body has both \"replay\" and \(quoted(other)); expected one of them.")
            }
            order = try Self.again(try RequestResource.entry(call, id: id), keyID, call)
            return
        }
        let wanted = try ExplainOrder(body, call.request.body)
        let authority = wanted.environment.map(Self.host) ?? "localhost"
        order = try Self.order(wanted.request, authority: authority, keyID, signs: true, call)
    }

    /// An entry as it came; what of it was good only then is made anew.
    private static func again(_ entry: JournalEntry, _ keyID: String?, _ call: AdminCall) throws(Problem) -> PushOrder {
        let content = entry.content
        guard content.breakage == nil, content.request.droppedBodyBytes == 0 else {
            throw Problem(
                .conflict, title: "Nothing to send again",
                content.breakage == nil
                    ? "The payload of #\(entry.seq) was too long to be kept whole."
                    : "#\(entry.seq) is a connection that broke before its first request.")
        }
        var signer = keyID
        var signs = keyID != nil
        switch content.authentication {
        case .token(let id, _, _, let signature):
            if "\(signature)" == "verified", call.simulator.keys.key(id)?.privateKey != nil {
                signer = signer ?? id
                signs = true
            }
        case .certificate: signs = true
        case .none: break
        }
        let sent = content.request.text(HeaderName.authority) ?? ""
        let isNamed = sent.hasSuffix(Namespace.hostSuffix)
        var order = try order(
            content.request, authority: isNamed ? sent : host(content.environment), signer, signs: signs, call)
        if let topic = content.defaultTopic, content.topic == nil { order.fields.append(("apns-topic", topic)) }
        return order
    }

    private static func order(
        _ request: HTTPRequest, authority: String, _ keyID: String?, signs: Bool, _ call: AdminCall
    ) throws(Problem) -> PushOrder {
        let named = request.fields.map { field in
            (request.text(in: field.nameRange).lowercased(), request.text(in: field.valueRange))
        }
        func first(_ name: String) -> String? { named.first { $0.0 == name }?.1 }
        var fields = [
            (":method", first(":method") ?? "POST"), (":scheme", "https"),
            (":authority", first(":authority").flatMap { $0.hasSuffix(Namespace.hostSuffix) ? $0 : nil } ?? authority),
            (":path", first(":path") ?? "/"),
        ]
        let isSigned = signs && (keyID != nil || first("authorization") == nil)
        fields += named.filter { name, _ in
            !name.hasPrefix(":") && !dropped.contains(name) && !(isSigned && name == "authorization")
        }
        let namespace = call.namespace
        if namespace.name != Namespace.defaultName, namespace.endpoint?.port == nil, first("mock-apns-namespace") == nil
        {
            fields.append(("mock-apns-namespace", namespace.name))
        }
        return PushOrder(
            fields: fields, body: Array(request.storage[request.bodyRange]),
            signer: isSigned ? try signer(keyID, call) : nil, endpoint: namespace.endpoint)
    }

    /// Who signs: the key that is asked for, or else the first that can.
    private static func signer(_ keyID: String?, _ call: AdminCall) throws(Problem) -> PushOrder.Signer? {
        let keys = call.simulator.keys
        let usual = keys.key(call.environment.info().keyID)
        let key =
            keyID.map { keys.key($0) }
            ?? (usual?.privateKey != nil ? usual : keys.all.first { $0.privateKey != nil && !$0.isRevoked })
        guard let key, let privateKey = key.privateKey else {
            guard let keyID else { return nil }
            throw Problem(
                .conflict, title: "Cannot sign", "The key \(quoted(keyID)) is not known here with its private half.",
                hint: "GET /v1/keys lists the keys; `hasPrivateKey` says which can sign.")
        }
        return PushOrder.Signer(
            namespace: call.namespace.name, key: privateKey, keyID: key.keyID, teamID: key.teamID,
            now: call.simulator.clock.now().server / 1000)
    }

    /// Apple's host of an environment, which decides it.
    private static func host(_ environment: Environment) -> String {
        environment == .production ? "api.push.apple.com" : "api.sandbox.push.apple.com"
    }
}
