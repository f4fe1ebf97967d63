import APNs
import Simulation
import TLS

/// The namespaces: worlds of their own in one server, so that suites that run in parallel never see each other.
enum NamespaceResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/namespaces", .namespaces, "The namespaces, `default` first.",
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`; as text a line each.")],
            examples: [AdminRoute.Example("Who is here?", "/v1/namespaces", accept: "text/plain")], handler: list),
        AdminRoute(
            .post, "/v1/namespaces", .namespaces,
            "Make a namespace: a world with a journal, keys and a clock of its own.",
            details: """
                Every route under `/v1/…` is there under `/v1/ns/NAME/…` too and then acts on that namespace; `base` in \
                the answer is that prefix. `POST /v1/reset` never touches another namespace than its own.

                A push belongs to the first namespace that fits: the owner of the **port** it came to; the host name \
                `NAME.apns.localhost` in the TLS handshake or in `:authority`; the only one in which the **key id** of \
                its provider token, or its client certificate, is registered (the server's own are good in all); one in which its **device** \
                is registered; the one that claims its **topic**; the one that its header field `mock-apns-namespace` names. All others belong to `default`.

                Ports of its own are in `apns`: `{"host": "127.0.0.1", "port": 49213, "h2cPort": 49214, "http1Port": 49215}`, \
                null for those that it has not. They are opened together or not at all, and closed with the namespace. A \
                range of `--namespace-ports` must have room for all ports of all namespaces: with both clear-text \
                listeners each takes three.

                A connection may carry pushes of several namespaces. Each sees a connection of its own: its first team, \
                its refresh limit, its count of requests.
                """,
            body: fields,
            answers: [
                AdminRoute.Answer(201, "The namespace, with `key.p8` when a key was made."),
                AdminRoute.Answer(409, "The name or a topic is taken, or there are too many.", .problem),
                AdminRoute.Answer(503, "A port cannot be bound.", .problem),
            ],
            examples: [
                AdminRoute.Example(
                    "For one test, with a key that chooses it", "/v1/namespaces",
                    body: #"{"name": "OrderTests.shipped", "ttl": "10m", "key": true, "devices": 2}"#, status: 201),
                AdminRoute.Example(
                    "For the pushes of one app", "/v1/namespaces",
                    body: #"{"name": "billing", "topics": ["com.acme.billing*"], "profile": "live"}"#, status: 201),
            ], handler: add),
        AdminRoute(
            .get, "/v1/namespaces/{name}", .namespaces, "One namespace.",
            answers: [AdminRoute.Answer(200, "The namespace."), missing],
            examples: [AdminRoute.Example("One of them", "/v1/namespaces/default")], handler: show),
        AdminRoute(
            .delete, "/v1/namespaces/{name}", .namespaces, "End a namespace; calls that wait in it are answered 410.",
            details: """
                With `verdict=clean` the answer judges what happened in it over its life, whatever was deleted, evicted or \
                reset meanwhile: 417 when one of the gates `rejected`, `findings:error` and `unused-rules` objects; \
                `objections` says which and why, and the answer lists examples. Refusals that a rule, a magic token, a device's \
                state, a revoked key or a moved clock asked for pass. The sender's conduct (`L001` and the like) is looked at \
                before entries are deleted, but not before they are evicted: then the answer is `journal-truncated`. The \
                namespace is deleted in either case, and its entries stay in the log file.
                """,
            parameters: [verdict, GateParameters.allow],
            answers: [
                AdminRoute.Answer(200, "What happened in it, in numbers."),
                missing,
                AdminRoute.Answer(409, "The default namespace stays.", .problem),
                AdminRoute.Answer(417, "It was not clean: what was refused, unused or found.", .problem),
            ],
            examples: [
                AdminRoute.Example("At the end of a test", "/v1/namespaces/$NAMESPACE?verdict=clean"),
                AdminRoute.Example(
                    "The same for a suite that sends to old tokens",
                    "/v1/namespaces/$NAMESPACE?verdict=clean&allow=Unregistered&format=text"),
                AdminRoute.Example("Without a judgement", "/v1/namespaces/$NAMESPACE"),
            ], tells: .namespace, handler: remove),
    ]

    /// The longest life of a namespace, in milliseconds.
    static let lifetimeLimit: Int64 = 24 * 3_600_000

    private static let missing = AdminRoute.Answer(404, "No such namespace.", .problem)
    static let name = Parameter(
        "name", .form(Namespace.nameForm), "The name; an end like `-3f2a` keeps parallel runs apart.",
        example: "OrderTests.shipped-3f2a", standard: "a new one")
    static let lifetime = Parameter(
        "ttl", .duration(maximum: lifetimeLimit), "When it ends by itself, should nobody delete it.", example: "10m",
        standard: "never")
    static let port = Parameter(
        "port", .integer(0...65_535),
        "Open a TLS listener that belongs to it; 0 picks a free port, or one of `--namespace-ports`. Where the server itself "
            + "listens in clear text (`--h2c-listen`, `--http1-listen`), the namespace gets such a port, too.",
        example: "0", standard: "none")
    static let h2cPort = Parameter(
        "h2cPort", .integer(0...65_535), "Open a listener for HTTP/2 in clear text that belongs to it.", example: "0",
        standard: "with `port`, where the server has one")
    static let http1Port = Parameter(
        "http1Port", .integer(0...65_535), "Open a listener for HTTP/1.1 in clear text that belongs to it.",
        example: "0", standard: "with `port`, where the server has one")
    static let key = Parameter(
        "key", .boolean, "Make a key; pushes signed with it belong to the namespace.", example: "true",
        standard: "false")
    static let topics = Parameter(
        "topics", .texts, "Topics that belong to it, `*` standing for any characters; suffixes of push types count.",
        example: "com.acme.billing*", standard: "none")
    static let profile = Parameter(
        "profile", .word(Profile.allCases.map(\.rawValue)), "How its pushes are judged.", example: "strict",
        standard: "as in `default`")
    static let seed = Parameter(
        "seed", .integer(0...Int.max), "The number behind its random decisions.", example: "7",
        standard: "as in `default`")
    static let devices = Parameter(
        "devices", .integer(0...DeviceFields.countLimit),
        "Register so many devices with random tokens; pushes to them belong to the namespace.", example: "2",
        standard: "none")
    private static let fields = [name, lifetime, port, h2cPort, http1Port, key, devices, topics, profile, seed]
    private static let verdict = Parameter(
        "verdict", .word(["clean"]), "Answer 417 unless nothing unexpected happened in it.", example: "clean",
        standard: "no judgement")

    // MARK: Reading

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let writer = NamespaceWriter(call)
        let all = call.worlds.all
        return .now(call.preference == .text ? AdminResponse(text: writer.lines(all)) : writer.list(all))
    }

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        .now(NamespaceWriter(call).answer(try find(call)))
    }

    private static func find(_ call: AdminCall) throws(Problem) -> Namespace {
        let name = call.captures["name"] ?? ""
        guard let namespace = call.worlds.namespace(named: name) else { throw Target.unknown(name, in: call.worlds) }
        return namespace
    }

    // MARK: Making

    private static func add(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, fields)
        let order = try order(body, call)
        let wanted = try ports(body)
        let namespace: Namespace
        do throws(Worlds.Refusal) {
            namespace = try call.worlds.add(order, now: call.simulator.clock.now().machine)
        } catch {
            throw conflict(error, order.name)
        }
        let writer = NamespaceWriter(call)
        guard !wanted.isEmpty else { return .now(writer.answer(namespace, status: 201, newKeys: order.keys)) }
        let (listeners, worlds, preference) = (call.environment.listeners, call.worlds, call.preference)
        return .later { reply in
            listeners.open(namespace, wanted) { result in
                switch result {
                case .success(let endpoint):
                    namespace.bound(to: endpoint)
                    reply(writer.answer(namespace, status: 201, newKeys: order.keys))
                case .failure(let failure):
                    _ = worlds.remove(namespace.name)
                    reply(
                        Problem(
                            .unavailable,
                            "The namespace \(quoted(namespace.name)) gets no listener: \(failure.message).",
                            hint: "Leave ports out: a key, a host name or a topic chooses a namespace too."
                        ).response(preference))
                }
            }
        }
    }

    private static func ports(_ body: BodyFields) throws(Problem) -> NamespaceListeners.Ports {
        var ports = NamespaceListeners.Ports()
        ports.tls = try body.integer(port).map { UInt16($0) }
        ports.h2c = try body.integer(h2cPort).map { UInt16($0) }
        ports.http1 = try body.integer(http1Port).map { UInt16($0) }
        return ports
    }

    private static func order(_ body: BodyFields, _ call: AdminCall) throws(Problem) -> NamespaceOrder {
        let wanted = try body.text(name)
        if let wanted, !Namespace.isName(wanted) { throw body.bad(name, wanted) }
        var order = NamespaceOrder(wanted ?? newName())
        order.lifetimeMilliseconds = try body.duration(lifetime)
        if order.lifetimeMilliseconds == 0 { throw body.bad(lifetime, "0") }
        order.topics = try body.texts(topics) ?? []
        order.profile = try body.word(profile).flatMap { Profile(rawValue: $0) }
        if let count = try body.integer(devices), count > 0 {
            let device = Device(token: "", now: call.worlds.main.simulator.clock.now().server)
            order.devices = (try? DeviceStore().register(count, like: device)) ?? []
        }
        order.seed = try body.integer(seed).map { UInt64($0) }
        if try body.boolean(key) ?? false {
            do throws(TLSError) {
                let pair = try ES256PrivateKey()
                let team = call.environment.info().teamID
                order.keys = [
                    KeyStore.Key(
                        keyID: KeyResource.newID(), teamID: team.isEmpty ? "MOCKTEAM01" : team, key: pair.publicKey,
                        privateKey: pair)
                ]
            } catch {
                throw Problem(.unavailable, "A key cannot be made: \(error.description).")
            }
        }
        return order
    }

    private static func newName() -> String {
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return "ns-" + String((0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    static func conflict(_ refusal: Worlds.Refusal, _ name: String) -> Problem {
        switch refusal {
        case .taken:
            Problem(
                .conflict, "The name \(quoted(name)) is taken.",
                hint: "DELETE /v1/namespaces/\(name) ends it, or leave \"name\" out for a new one.")
        case .full:
            Problem(
                .conflict, "There are \(Worlds.limit) namespaces, which is as many as may be.",
                hint: "Delete those that are not needed, or give them a \"ttl\".")
        case .topicClaimed(let topic, let other):
            Problem(
                .conflict, "The topic \(quoted(topic)) belongs to the namespace \(quoted(other)).",
                hint: "Choose the namespace by a key (\"key\": true) instead, which no other can have.")
        }
    }

    // MARK: Ending

    private static func remove(_ call: AdminCall) throws(Problem) -> Answering {
        let judges = try call.query.word(verdict.name) != nil
        let namespace = try find(call)
        if namespace === call.worlds.main {
            throw Problem(
                .conflict, "The namespace \"default\" cannot be deleted.", hint: "POST /v1/reset empties it.")
        }
        let allowed = try GateParameters.allowed(call.query)
        let verdict = NamespaceVerdict(ending: namespace, of: call.worlds, allowing: allowed)
        call.environment.listeners.close(namespace)
        if judges, !verdict.isClean { throw verdict.problem }
        if call.preference == .text { return .now(AdminResponse(text: verdict.text)) }
        return .now(AdminResponse(.json, verdict.json))
    }
}
