import APNs

/// How a sender uses its connections: L003.
struct ConnectionTracker {
    /// So many connections of a host within the window, each closed by the sender behind its one request, are a habit.
    static let habit = 3
    /// How far back connections are counted, in milliseconds.
    static let window: Int64 = 60_000

    private struct Host {
        /// How many requests each connection had, by its number.
        var requests: [UInt64: Int] = [:]
        var isRemarked = false
    }

    /// When connections ended because the sender closed them; nil for those that are open, and those that the server ended.
    let closedBySender: @Sendable (UInt64) -> Int64?
    /// By the peer's address without its port.
    private var hosts: [String: Host] = [:]

    init(closedBySender: @escaping @Sendable (UInt64) -> Int64?) {
        self.closedBySender = closedBySender
    }

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        let connection = facts.content.connection.value
        let address = String(
            connection.peer.prefix(upTo: connection.peer.lastIndex(of: ":") ?? connection.peer.endIndex))
        var host = hosts[address] ?? Host()
        defer { hosts[address] = host }
        host.requests[connection.id, default: 0] += 1
        guard host.requests[connection.id] == 1, !host.isRemarked, host.requests.count > Self.habit else { return }
        // A pool has connections that are open, or had more than one request.
        var single = 0
        for (id, count) in host.requests where id != connection.id {
            let end = closedBySender(id)
            if let end, end < facts.time - Self.window {
                host.requests[id] = nil
            } else if count == 1, let end, end <= facts.time {
                single += 1
            } else {
                return
            }
        }
        guard single >= Self.habit else { return }
        host.isRemarked = true
        remarks.append(
            .init(
                code: .connectionPerRequest,
                message: "\(single) connections from \(address) within a minute were closed behind one request each."))
    }
}
