import EventLoop
import HTTP
import HTTP2
import Simulation

/// A sender that speaks HTTP/1.1: one request at a time, judged as one that came over HTTP/2. Confined to its worker's loop.
final class HTTP1Peer: RequestSource {
    /// Fields about the connection; HTTP/2 has none of them (RFC 9113, section 8.2.2), and entries are the same for both.
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings",
    ]

    let worker: Worker
    var state: ConnectionState
    /// The namespace that the listener belongs to; nil when it serves all.
    let owner: Namespace?
    var views = NamespaceViews()
    private var exchange: HTTP1Exchange?
    private let record: ConnectionRecord
    /// Why it ends, in words, when we know.
    var endWords: String?
    /// Whether a script keeps all answers back.
    var isStalled = false
    /// After how many requests a script ends the connection.
    var requestLimit: ConnectionScript.RequestLimit?

    init(_ facts: PeerConnection, worker: Worker, namespace: Namespace?) {
        self.worker = worker
        owner = namespace
        state = ConnectionState(connection: PeerConnectionReference(facts))
        record = worker.core.connections.open(
            state.connection, listenerKind: ListenerKind.http1.rawValue, at: EventLoop.wallClockMilliseconds())
        worker.core.connections.httpBegins(on: record, state.connection, version: "http/1.1")
        worker.core.traffic.countConnection(tls: nil)
    }

    /// Either side has closed the connection.
    func connectionHasClosed() {
        let words = endWords ?? (worker.isStopping ? "The server stopped." : "The connection was closed.")
        worker.core.connections.close(record, at: EventLoop.wallClockMilliseconds(), because: words)
    }

    /// Decides a request; its answer goes out at the end of the turn, when its entry is in the log.
    func receive(_ exchange: HTTP1Exchange) {
        self.exchange = exchange
        worker.now = worker.core.simulator.clock.now()
        let request = Self.request(exchange)
        if let namespace = namespace(of: request) {
            let decision = views.decide(
                request, stream: 0, in: namespace, on: state.connection, behind: state.fault,
                scratch: &worker.scratch)
            countRequest()
            return worker.append(decision, stream: 0, of: self, in: namespace)
        }
        let decision = worker.core.simulator.decide(
            request, stream: 0, on: &state, scratch: &worker.scratch, now: worker.now)
        countRequest()
        worker.append(decision, stream: 0, of: self)
    }

    /// The namespace of a request; nil for the default one.
    private func namespace(of request: borrowing HTTPRequest) -> Namespace? {
        if let owner { return owner }
        return worker.core.worlds.isSingle ? nil : worker.core.worlds.namespace(of: request, &views.memory)
    }

    func answer(_ decision: borrowing Decision, stream: Int32, at milliseconds: Int64) {
        guard let exchange = exchange.take() else { return }
        record.store(requests: state.requests + views.requests)
        endBehindLimit(exchange)
        switch decision.action {
        case .respond: respond(exchange, decision.response)
        case .perform(let answer):
            return perform(answer, exchange, decision.response, decision.entry, at: milliseconds)
        case .withhold: break  // The exchange waits until the sender gives up, or the connection ends.
        }
        decision.entry.answered(afterMilliseconds: max(0, milliseconds - decision.entry.content.receivedAt))
    }

    /// Sends an answer, with fields that a script added.
    func respond(
        _ exchange: HTTP1Exchange, _ response: HTTPResponse, _ more: [(name: String, value: String)] = []
    ) {
        exchange.respond(
            status: Int(response.status),
            headers: response.fields.map { ("\($0.name.spelling)", $0.value.text) } + more.map { ($0.name, $0.value) },
            body: response.body.bytes)
    }

    /// The request as it would have come over HTTP/2.
    private static func request(_ exchange: HTTP1Exchange) -> HTTPRequest {
        var builder = HTTPRequestBuilder()
        builder.append(":method", exchange.method)
        builder.append(":scheme", "http")
        if let host = exchange.header("host") { builder.append(":authority", host) }
        builder.append(":path", exchange.query.isEmpty ? exchange.path : "\(exchange.path)?\(exchange.query)")
        for (name, value) in exchange.headers {
            let name = name.lowercased()
            if name != "host", !connectionFields.contains(name) { builder.append(name, value) }
        }
        unsafe exchange.body.withUnsafeBytes {
            unsafe builder.appendBody($0, limit: HTTP2Session.Configuration().maxBodyBytes)
        }
        return builder.request()
    }
}

@available(*, unavailable)
extension HTTP1Peer: Sendable {}
