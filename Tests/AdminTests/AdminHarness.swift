import APNs
import Admin
import Foundation
import HTTP
import Locking
import Simulation
import TLS

/// The admin API without a socket, over a journal that a test fills by hand.
final class AdminHarness {
    /// A call and its answer, when there is one.
    final class Call {
        fileprivate(set) var response: AdminResponse?
        fileprivate var ticket: AdminApplication.Ticket?
    }

    /// What a test changes about the server around the API.
    struct Server: Sendable {
        var info = AdminEnvironment.Info()
        var waitingFor: [String] = []
        var shutdowns = 0
        /// The pushes that the server was told to send to itself.
        var sent: [PushOrder] = []
    }

    static let device = "6f1e" + String(repeating: "0", count: 60)

    let loop = ManualLoop()
    let simulator: Simulator
    let worlds: Worlds
    let application: AdminApplication
    let server: SharedServer
    let connections = ConnectionStore()
    var journal: Journal { simulator.journal }
    private let connection = PeerConnectionReference(
        PeerConnection(id: 7, peer: "127.0.0.1:53122", listener: "127.0.0.1:2197"))
    /// The connection that the pushes come over.
    let record: ConnectionRecord
    private var requests = 0

    /// The server's part that closures of other threads may look at.
    final class SharedServer: Sendable {
        let value = Lock(Server())
    }

    init(
        limits: Journal.Limits = Journal.Limits(), allowedHosts: [String] = [], adminToken: String? = nil,
        corsOrigin: String? = nil, listeners: NamespaceListeners = .none, keys: [KeyStore.Key] = [],
        authority: ClientAuthority? = nil, profile: Profile = .lenient, hasPage: Bool = true
    ) {
        var configuration = Simulator.Configuration()
        configuration.profile = profile
        let renderer = EntryRenderer(instance: "test", adminBase: "http://127.0.0.1:2198")
        simulator = Simulator(
            configuration: configuration, journal: Journal(limits: limits, log: nil, renderer: renderer),
            keys: KeyStore(keys), clock: ServerClock())
        let server = SharedServer()
        self.server = server
        server.value.withLock { $0.info.instance = "test" }
        worlds = Worlds(simulator, seed: 1)
        var environment = AdminEnvironment(
            info: { server.value.withLock { $0.info } }, waitingFor: { server.value.withLock { $0.waitingFor } },
            shutdown: { server.value.withLock { $0.shutdowns += 1 } }, clientAuthority: authority,
            connections: connections, listeners: listeners, allowedHosts: allowedHosts, adminToken: adminToken,
            corsOrigin: corsOrigin)
        environment.hasPage = hasPage
        environment.send = { order, done in
            server.value.withLock { $0.sent.append(order) }
            done(PushAnswer(status: 200, fields: [("apns-id", "EC1BF194-B3B2-424A-8912-1A2B3C4D5E6F")], body: []))
        }
        application = AdminApplication(worlds: worlds, environment: environment, loop: loop)
        record = connections.open(connection, listenerKind: "apns", at: 1_768_469_400_123)
        connections.httpBegins(on: record, connection, version: "h2")
    }

    // MARK: - Calls

    /// Begins a call.
    func start(
        _ target: String, method: String = "GET", accept: String? = nil, headers: [(name: String, value: String)] = [],
        json: String? = nil, body: [UInt8] = [], stream: FakeStream? = nil
    ) -> Call {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var headers = headers
        if !headers.contains(where: { $0.name == "host" }) { headers.append(("host", "127.0.0.1:2198")) }
        if let accept { headers.append(("accept", accept)) }
        if json != nil { headers.append(("content-type", "application/json")) }
        let call = Call()
        call.ticket = application.handle(
            AdminRequest(
                method: method, path: String(halves[0]), query: halves.count == 2 ? String(halves[1]) : "",
                headers: headers, body: json.map { Array($0.utf8) } ?? body),
            stream: stream.map { stream in { stream } }
        ) { call.response = $0 }
        return call
    }

    /// Makes a call that is answered at once; one that waits has status 0.
    func send(
        _ target: String, method: String = "GET", accept: String? = nil, headers: [(name: String, value: String)] = [],
        json: String? = nil, body: [UInt8] = []
    ) -> AdminResponse {
        start(target, method: method, accept: accept, headers: headers, json: json, body: body).response
            ?? AdminResponse(status: 0)
    }

    /// The guest of a call goes away.
    func leave(_ call: Call) {
        if let ticket = call.ticket { application.leave(ticket) }
    }

    // MARK: - Pushes

    /// A push arrives and is journaled; refused when there is a failure.
    @discardableResult
    func push(
        _ device: String = AdminHarness.device, topic: String? = "com.acme.app", type: PushType = .alert,
        payload: String = #"{"aps":{"alert":{"title":"Shipped","body":"Order 42"}},"orderId":42}"#,
        apnsID: String? = nil, headers: [(HeaderName, String)] = [], failure: CheckFailure? = nil,
        in namespace: Namespace? = nil
    ) -> JournalEntry {
        let entry = JournalEntry(
            content(device, topic, type, payload, apnsID: apnsID, headers: headers, failure: failure))
        _ = (namespace?.simulator.journal ?? journal).commit([entry])
        entry.answered(afterMilliseconds: 1)
        return entry
    }

    /// What the decision about a push would hold.
    private func content(
        _ device: String, _ topic: String?, _ type: PushType, _ payload: String, apnsID: String?,
        headers: [(HeaderName, String)], failure: CheckFailure?
    ) -> JournalEntry.Content {
        var request = HTTPRequest()
        request.append(.method, ":method", "POST")
        request.append(.scheme, ":scheme", "https")
        request.append(.path, ":path", "/3/device/" + device)
        if let topic { request.append(.apnsTopic, "apns-topic", topic) }
        request.append(.apnsPushType, "apns-push-type", type.rawValue)
        for (name, value) in headers { request.append(name, name.spelling.description, value) }
        Array(payload.utf8).withUnsafeBytes { request.appendBody($0) }
        let now = simulator.clock.now()
        requests += 1
        // Each comes behind the answer to the one before.
        var content = JournalEntry.Content(
            receivedAt: now.machine + Int64(10 * requests), serverTime: now.server,
            outcome: failure == nil ? .accepted : .rejected,
            request: request, connection: connection)
        content.requestsOnConnection = requests
        let path = request.valueRange(.path) ?? 0..<0
        content.device = path.lowerBound + "/3/device/".utf8.count..<path.upperBound
        content.pushType = type
        content.apnsID = UUIDText((apnsID ?? UUID().uuidString).utf8)
        content.status = failure?.reason.status ?? 200
        content.reason = failure?.reason
        content.failures = failure.map { [$0] } ?? []
        content.authentication = .token(
            keyID: "MOCK000001", teamID: "MOCKTEAM01", issuedAt: Double(now.server) / 1000, signature: "verified")
        return content
    }

    /// A request arrives, is decided and journaled.
    @discardableResult
    func request(_ method: String, _ path: String, _ fields: [(HeaderName, String)] = [], _ body: String) -> Decision {
        var request = HTTPRequest()
        request.append(.method, ":method", method)
        request.append(.path, ":path", path)
        for (name, value) in fields { request.append(name, name.spelling.description, value) }
        Array(body.utf8).withUnsafeBytes { request.appendBody($0) }
        var state = ConnectionState(connection: connection)
        var scratch = DecisionScratch()
        let decision = simulator.decide(
            request, stream: 1, on: &state, scratch: &scratch, now: simulator.clock.now())
        _ = journal.commit([decision.entry])
        return decision
    }

    /// A connection breaks before its first request.
    @discardableResult
    func breakConnection(
        cause: String = "tls", explanation: String = "the client did not trust our CA", firstBytes: [UInt8] = []
    ) -> JournalEntry {
        let now = simulator.clock.now()
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .broken, request: HTTPRequest(),
            connection: connection)
        content.breakage = JournalEntry.Breakage(cause: cause, explanation: explanation, firstBytes: firstBytes)
        let entry = JournalEntry(content)
        _ = journal.commit([entry])
        return entry
    }
}

extension HTTPRequest {
    mutating func append(_ name: HeaderName, _ spelling: String, _ value: String) {
        Array(spelling.utf8).withUnsafeBytes { spelling in
            Array(value.utf8).withUnsafeBytes { append(name, name: spelling, value: $0) }
        }
    }
}

extension AdminResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var object: [String: Any] {
        ((try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]) ?? [:]
    }

    /// The items of a list.
    var items: [[String: Any]] { object["items"] as? [[String: Any]] ?? [] }

    /// A member that is text.
    func string(_ name: String) -> String { object[name] as? String ?? "" }

    /// A member that is a number.
    func number(_ name: String) -> Int? { object[name] as? Int }
}
