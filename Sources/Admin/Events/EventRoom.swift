import Simulation

/// The guests of the event stream. Confined to its loop.
final class EventRoom {
    private let loop: any AdminLoop
    private let connections: ConnectionStore
    private var clients: [UInt64: EventClient] = [:]
    private var lastNumber: UInt64 = 0
    private var isClosed = false

    /// An empty room on this loop, whose guests may hear of these connections.
    init(loop: any AdminLoop, connections: ConnectionStore) {
        self.loop = loop
        self.connections = connections
    }

    /// How many guests there are.
    var count: Int { clients.count }

    /// Begins a stream; returns a number for ``leave(_:)``.
    func enter(
        _ question: EventQuestion, _ journal: Journal, _ stream: any AdminStream, _ head: AdminResponse,
        version: String, instance: String
    ) throws(Problem) -> UInt64 {
        if isClosed { throw Problem(.stopping, "The server stops and begins no stream any more.") }
        guard clients.count < AdminLimits.eventClients else { throw Self.tooMany(AdminLimits.eventClients) }
        lastNumber += 1
        let number = lastNumber
        let client = EventClient(question, journal, connections, stream, loop) { [weak self] in
            self?.clients[number] = nil
        }
        clients[number] = client
        do throws(Journal.TooManyFollowers) {
            try client.start(head, version: version, instance: instance)
        } catch {
            clients[number] = nil
            throw Self.tooMany(error.limit)
        }
        return number
    }

    /// Forgets a guest that has gone.
    func leave(_ number: UInt64) {
        clients.removeValue(forKey: number)?.stop()
    }

    /// Tells the guests of a namespace, known by its journal, what is no entry.
    func tell(_ type: EventType, data: [UInt8], in journal: Journal) {
        for number in clients.keys.sorted() {
            if let client = clients[number], client.reads(journal) { client.tell(type, data: data) }
        }
    }

    /// Ends all streams; none begins any more.
    func close() {
        isClosed = true
        for client in clients.values { client.end() }
    }

    private static func tooMany(_ limit: Int) -> Problem {
        Problem(
            .tooManyStreams, "\(limit) guests read events already, which is as many as may.",
            hint: "Close streams that nobody reads; one stream can have any filters.")
    }
}
