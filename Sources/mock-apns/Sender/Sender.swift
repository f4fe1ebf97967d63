import EventLoop
import Server
import TLS

/// Sends the pushes of `send` over its connections, on one loop.
final class Sender: PushSource {
    let loop: EventLoop
    let request: PushRequest
    private(set) var report = SendReport()
    private let context: TLSContext
    private let address: SocketAddress
    private let serverName: String
    private let ratePerSecond: Double?
    private var unsent: Int
    private var unfinished: Int
    private var connections: [PushConnection] = []
    private var timer: LoopTimer?
    private let start = ContinuousClock.now

    init(
        _ request: PushRequest, count: Int, ratePerSecond: Double?, to address: SocketAddress, serverName: String,
        context: TLSContext
    ) throws {
        loop = try EventLoop()
        self.request = request
        self.address = address
        self.serverName = serverName
        self.context = context
        self.ratePerSecond = ratePerSecond
        unsent = count
        unfinished = count
    }

    /// Sends everything; returns when every push was answered or its connection has ended.
    func run(connections count: Int) throws -> SendReport {
        for _ in 0..<min(count, unsent) {
            connections.append(
                try PushConnection(self, on: loop, to: address, context: context, serverName: serverName))
        }
        loop.run()
        timer = nil
        connections = []
        return report
    }

    /// One more push, when it may go out now.
    func nextPush(for connection: PushConnection) -> OutgoingPush? {
        guard unsent > 0 else { return nil }
        if let ratePerSecond {
            let sent = report.answered + report.lost + inFlight
            let due = Int((ContinuousClock.now - start) / .seconds(1) * ratePerSecond) + 1
            guard sent < due else {
                waitForTurn(Double(sent) / ratePerSecond)
                return nil
            }
        }
        unsent -= 1
        return OutgoingPush(fields: request.fields, body: request.body)
    }

    private var inFlight: Int { unfinished - unsent }

    /// Wakes the connections when the next push is due.
    private func waitForTurn(_ secondsFromStart: Double) {
        guard timer == nil else { return }
        let left = secondsFromStart - (ContinuousClock.now - start) / .seconds(1)
        timer = try? loop.after(milliseconds: max(1, Int64((left * 1000).rounded(.up)))) { [unowned self] in
            timer = nil
            for connection in connections { connection.sendMore() }
        }
    }

    /// An answer came.
    func finished(_ push: OutgoingPush, _ result: PushConnection.Result) {
        switch result {
        case .answer(let response): report.add(response)
        case .lost(let failure):
            report.lost += 1
            report.failure = report.failure ?? failure
        }
        unfinished -= 1
        if unfinished == 0 { loop.stop() }
    }

    /// A connection ended; what it had in flight is lost, and when it was the last, so is the rest.
    func ended(_ connection: PushConnection, because failure: String) {
        report.failure = report.failure ?? failure
        connections.removeAll { $0 === connection }
        guard connections.isEmpty, unfinished > 0 else { return }
        report.lost += unsent
        unfinished -= unsent
        unsent = 0
        loop.stop()
    }
}
