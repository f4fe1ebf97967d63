import APNs
import JSON
import Simulation
import TLS

/// The keys that senders may sign provider tokens with.
enum KeyResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/keys", .keys, "The keys that provider tokens are checked against.",
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`; as text a line each.")],
            examples: [AdminRoute.Example("Which keys are good?", "/v1/keys", accept: "text/plain")], handler: list),
        AdminRoute(
            .post, "/v1/keys", .keys, "Make a key, or register a sender's own.",
            details: """
                Without `p8` and `publicKey` a new key is made; the answer holds its private half as `p8`, the text of a \
                `.p8` file. A key without `topics` covers all topics of its team, as Apple's team-scoped keys do; one \
                with topics covers those and their suffixes.
                """,
            body: [keyID, teamID, topics, environments, relatedKeyID, p8, publicKey],
            answers: [
                AdminRoute.Answer(201, "The key, with `p8` when its private half is known."),
                AdminRoute.Answer(409, "The id is taken, or there are too many keys.", .problem),
            ],
            examples: [
                AdminRoute.Example("A key that covers everything", "/v1/keys", body: "{}", status: 201),
                AdminRoute.Example(
                    "A key for some topics of the sandbox", "/v1/keys",
                    body: #"{"topics": ["com.acme.*"], "environments": ["sandbox"], "teamId": "MOCKTEAM01"}"#,
                    status: 201),
            ], handler: add),
        AdminRoute(
            .get, "/v1/keys/{keyId}.p8", .keys, "The private half of a key, for a sender.",
            answers: [
                AdminRoute.Answer(200, "A `.p8` file.", .pem),
                AdminRoute.Answer(404, "No such key, or its private half is not known.", .problem),
            ],
            examples: [AdminRoute.Example("Fetch it for a sender", "/v1/keys/$KEY_ID.p8")], handler: file),
        AdminRoute(
            .get, "/v1/keys/{keyId}", .keys, "One key.",
            answers: [AdminRoute.Answer(200, "The key."), noKey],
            examples: [AdminRoute.Example("One key", "/v1/keys/$KEY_ID")], handler: show),
        AdminRoute(
            .patch, "/v1/keys/{keyId}", .keys, "Revoke a key, or change what it is for.",
            details: """
                Counts from the next push on, also for tokens that were accepted before. A connection stays bound to the \
                team and the key of its first push.
                """,
            body: [revoked, teamID, topics, environments, relatedKeyID],
            answers: [AdminRoute.Answer(200, "The key as it is now."), noKey],
            examples: [AdminRoute.Example("Revoke it", "/v1/keys/$KEY_ID", body: #"{"revoked": true}"#)],
            handler: change),
        AdminRoute(
            .delete, "/v1/keys/{keyId}", .keys, "Forget a key; its tokens become `InvalidProviderToken`.",
            answers: [AdminRoute.Answer(200, "`{\"removed\": \"MOCK000001\"}`"), noKey],
            examples: [AdminRoute.Example("Forget it", "/v1/keys/$KEY_ID")], handler: remove),
    ]

    private static let identifier = "\(KeyStore.Key.identifierLength) letters or digits"
    private static let noKey = AdminRoute.Answer(404, "No such key.", .problem)
    static let keyID = Parameter(
        "keyId", .form(identifier), "The id, `kid` in tokens.", example: "ABC123DEFG", standard: "a new one")
    static let teamID = Parameter(
        "teamId", .form(identifier), "The team, `iss` in tokens.", example: "MOCKTEAM01", standard: "MOCKTEAM01")
    static let topics = Parameter(
        "topics", .texts, "What the key covers, `*` standing for any characters; an empty list for all of its team.",
        example: "com.acme.*", standard: "all")
    static let environments = Parameter(
        "environments", .words(Environment.allCases.map(\.rawValue)), "Where the key is good.", example: "sandbox",
        standard: "both")
    static let relatedKeyID = Parameter(
        "relatedKeyId", .form(identifier), "The key that may be used beside this one on a connection; empty for none.",
        example: "ABC123DEFH")
    static let p8 = Parameter(
        "p8", .form("PEM of a P-256 private key"), "A sender's `.p8` file.", example: "-----BEGIN…")
    static let publicKey = Parameter(
        "publicKey", .form("PEM of a P-256 public key"), "A sender's public key, where the private one must stay.",
        example: "-----BEGIN…")
    static let revoked = Parameter("revoked", .boolean, "Whether the key is revoked.", example: "true")

    // MARK: Reading

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let keys = call.simulator.keys.all
        if call.preference == .text {
            return .now(AdminResponse(text: keys.map { KeyWriter.line($0) + "\n" }.joined()))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for key in keys { KeyWriter.write(key, to: &writer) }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        answer(try find(call), call)
    }

    private static func file(_ call: AdminCall) throws(Problem) -> Answering {
        let key = try find(call)
        guard let privateKey = key.privateKey else {
            throw Problem(
                .notFound, "Of the key \(key.keyID) only the public half is known.",
                hint: "Its sender has the private one; POST /v1/keys makes a key of which both are known.")
        }
        return .now(AdminResponse(.pem, Array(privateKey.pem.utf8)))
    }

    // MARK: Changing

    private static func add(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(
            call.request.body, [keyID, teamID, topics, environments, relatedKeyID, p8, publicKey])
        let pair = try keyPair(body)
        var key = KeyStore.Key(
            keyID: try identifier(body, keyID) ?? newID(), teamID: "MOCKTEAM01", key: pair.publicKey,
            privateKey: pair.privateKey)
        try scope(body)(&key)
        guard call.simulator.keys.add(key) else {
            let isTaken = call.simulator.keys.key(key.keyID) != nil
            throw Problem(
                .conflict,
                isTaken
                    ? "The key id \(quoted(key.keyID)) is taken."
                    : "There are \(KeyStore.limit) keys already; no more are taken.",
                hint: isTaken ? "PATCH /v1/keys/\(key.keyID) changes it, DELETE forgets it." : nil)
        }
        return answer(key, status: 201, withPrivateKey: true, call)
    }

    private static func change(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [revoked, teamID, topics, environments, relatedKeyID])
        let isRevoked = try body.boolean(revoked)
        let change = try scope(body)
        let id = try find(call).keyID
        let changed = call.simulator.keys.update(id) { key in
            if let isRevoked { key.isRevoked = isRevoked }
            change(&key)
        }
        guard let changed else { throw missing(id, call) }
        return answer(changed, call)
    }

    private static func remove(_ call: AdminCall) throws(Problem) -> Answering {
        let id = try find(call).keyID
        guard call.simulator.keys.remove(id) != nil else { throw missing(id, call) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("removed")
        writer.string(id)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    /// The members that say what a key is for, as a change.
    static func scope(_ body: BodyFields) throws(Problem) -> (inout KeyStore.Key) -> Void {
        let team = try identifier(body, teamID)
        let covered = try body.texts(topics)
        let related = try body.text(relatedKeyID)
        if let related, !related.isEmpty, !KeyStore.Key.isIdentifier(related) { throw body.bad(relatedKeyID, related) }
        let places = try body.words(environments).compactMap { Environment(rawValue: $0) }
        if body.has(environments), places.isEmpty {
            throw Problem(.badBody, "The member \"environments\" is an empty list; expected \(environments.expected).")
        }
        return { key in
            if let team { key.teamID = team }
            if let covered { key.topics = covered }
            if let related { key.relatedKeyID = related.isEmpty ? nil : related }
            if !places.isEmpty { key.environments = Set(places) }
        }
    }

    /// The key that the body holds, or that a file holds; a new one when there is neither.
    static func keyPair(_ body: BodyFields, file: String? = nil) throws(Problem) -> (
        publicKey: ES256PublicKey, privateKey: ES256PrivateKey?
    ) {
        let (privateText, publicText) = (try body.text(p8), try body.text(publicKey))
        if privateText != nil, publicText != nil {
            throw Problem(.badBody, "The body has both \"p8\" and \"publicKey\"; expected one of them.")
        }
        do throws(TLSError) {
            if let publicText { return (try ES256PublicKey(pem: publicText, source: "publicKey"), nil) }
            if let file, file.contains("PUBLIC KEY") { return (try ES256PublicKey(pem: file, source: "file"), nil) }
            if let privateText = privateText ?? file {
                let key = try ES256PrivateKey(pem: privateText, source: "p8")
                return (key.publicKey, key)
            }
            let made = try ES256PrivateKey()
            return (made.publicKey, made)
        } catch {
            throw Problem(.badBody, "The key cannot be read: \(error.description).")
        }
    }

    static func identifier(_ body: BodyFields, _ field: Parameter) throws(Problem) -> String? {
        guard let id = try body.text(field) else { return nil }
        guard KeyStore.Key.isIdentifier(id) else { throw body.bad(field, id) }
        return id
    }

    /// An id that shows where it comes from.
    static func newID() -> String {
        let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        return "MOCK" + String((0..<6).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    // MARK: Answers

    private static func find(_ call: AdminCall) throws(Problem) -> KeyStore.Key {
        let id = call.captures["keyId"] ?? ""
        guard let key = call.simulator.keys.key(id) else { throw missing(id, call) }
        return key
    }

    private static func missing(_ id: String, _ call: AdminCall) -> Problem {
        let known = call.simulator.keys.all.map(\.keyID)
        return Problem(
            .notFound, "There is no key \(quoted(id)).",
            hint: NearestName.of(id, among: known).map { "Did you mean \($0)?" } ?? "GET /v1/keys lists all.")
    }

    private static func answer(
        _ key: KeyStore.Key, status: Int = 200, withPrivateKey: Bool = false, _ call: AdminCall
    ) -> Answering {
        if call.preference == .text {
            let pem = withPrivateKey ? key.privateKey?.pem ?? "" : ""
            return .now(AdminResponse(status: status, text: KeyWriter.line(key) + "\n" + pem))
        }
        var writer = JSONWriter()
        KeyWriter.write(key, withPrivateKey: withPrivateKey, to: &writer)
        return .now(AdminResponse(status: status, .json, writer.bytes))
    }
}
