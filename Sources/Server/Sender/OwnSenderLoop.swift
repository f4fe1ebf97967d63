import Admin
import EventLoop
import HTTP2
import TLS

/// Sends what the admin API asks for over connections that stay open, as a good sender does. Confined to its loop.
final class OwnSenderLoop: PushSource {
    /// How long a push waits for its answer.
    static let patience: Int64 = 10_000
    /// How long a provider token is used, in seconds: APNs wants a new one after 20 minutes at the earliest and 60 at the latest.
    static let tokenAge: Int64 = 40 * 60

    private struct Token {
        let text: String
        let issuedAt: Int64
    }

    private struct Waiting {
        let address: SocketAddress
        let timer: LoopTimer?
        let done: @Sendable (PushAnswer) -> Void
    }

    private unowned let loop: EventLoop
    private let context: TLSContext
    private var connections: [SocketAddress: PushConnection] = [:]
    /// Those that got GOAWAY and wait for their last answers; the next push takes a new connection.
    private var leaving: [PushConnection] = []
    private var unsent: [SocketAddress: [OutgoingPush]] = [:]
    private var waiting: [UInt64: Waiting] = [:]
    private var tokens: [String: Token] = [:]
    private var last: UInt64 = 0

    init(_ loop: EventLoop, context: TLSContext) {
        self.loop = loop
        self.context = context
    }

    /// Sends a push; `done` is called once.
    func send(_ order: PushOrder, to address: SocketAddress, _ done: @escaping @Sendable (PushAnswer) -> Void) {
        last += 1
        var push = OutgoingPush(tag: last, fields: order.fields, body: order.body)
        do {
            if let signer = order.signer { push.fields.append(("authorization", "bearer \(try token(signer))")) }
            let tag = last
            let timer = try loop.after(milliseconds: Self.patience) { [unowned self] in giveUp(tag) }
            waiting[tag] = Waiting(address: address, timer: timer, done: done)
            if let connection = connections[address], connection.isLeaving {
                leaving.append(connection)
                connections[address] = nil
            }
            unsent[address, default: []].append(push)
            if let connection = connections[address] {
                connection.sendMore()
            } else {
                let connection = try PushConnection(
                    self, on: loop, to: address, context: context, serverName: "localhost")
                connections[address] = connection
                // What happened before it was known here.
                if let failure = connection.failure {
                    ended(connection, because: failure)
                } else {
                    connection.sendMore()
                }
            }
        } catch {
            unsent[address]?.removeAll { $0.tag == push.tag }
            finish(push.tag, PushAnswer(failure: "\(error)"), done)
        }
    }

    /// Lets go of connections and timers, which belong to the loop; what waits is told so.
    func close() {
        for connection in connections.values + leaving { connection.abandon() }
        connections = [:]
        leaving = []
        unsent = [:]
        for tag in waiting.keys.sorted() { finish(tag, PushAnswer(failure: "the server stops")) }
    }

    private func token(_ signer: PushOrder.Signer) throws(TLSError) -> String {
        let name = "\(signer.namespace) \(signer.keyID)"
        if let token = tokens[name], (0..<Self.tokenAge).contains(signer.now - token.issuedAt) { return token.text }
        let maker = ProviderTokenMaker(key: signer.key, keyID: signer.keyID, teamID: signer.teamID)
        let token = Token(text: try maker.token(issuedAt: signer.now), issuedAt: signer.now)
        tokens[name] = token
        return token.text
    }

    /// No answer came: the connection may hang for ever, so it is given up.
    private func giveUp(_ tag: UInt64) {
        guard let address = waiting[tag]?.address else { return }
        finish(tag, PushAnswer(failure: "no answer within \(Self.patience / 1000) s"))
        connections.removeValue(forKey: address)?.abandon()
        unsent[address] = nil
        for (other, one) in waiting where one.address == address {
            finish(other, PushAnswer(failure: "its connection was given up"))
        }
    }

    private func finish(_ tag: UInt64, _ answer: PushAnswer, _ done: (@Sendable (PushAnswer) -> Void)? = nil) {
        let waiting = waiting.removeValue(forKey: tag)
        waiting?.timer?.cancel()
        (waiting?.done ?? done)?(answer)
    }

    // MARK: What a connection asks and tells

    func nextPush(for connection: PushConnection) -> OutgoingPush? {
        guard let address = connections.first(where: { $0.value === connection })?.key,
            unsent[address]?.isEmpty == false
        else { return nil }
        return unsent[address]?.removeFirst()
    }

    func finished(_ push: OutgoingPush, _ result: PushConnection.Result) {
        switch result {
        case .answer(let response):
            finish(push.tag, PushAnswer(status: response.status, fields: response.fields, body: response.body))
        case .lost(let failure): finish(push.tag, PushAnswer(failure: failure))
        }
    }

    func ended(_ connection: PushConnection, because failure: String) {
        leaving.removeAll { $0 === connection }
        guard let address = connections.first(where: { $0.value === connection })?.key else { return }
        connections[address] = nil
        for push in unsent.removeValue(forKey: address) ?? [] { finish(push.tag, PushAnswer(failure: failure)) }
    }
}

@available(*, unavailable)
extension OwnSenderLoop: Sendable {}
