import APNs

/// How a sender uses its connections: L003.
struct ConnectionTracker {
    /// So many connections of a host in a row, each with one request, are a habit.
    static let habit = 3

    private struct Host {
        var connection: UInt64
        var requests = 1
        /// How many connections in a row had one request.
        var single = 0
        var isRemarked = false
    }

    /// By the peer's address without its port.
    private var hosts: [String: Host] = [:]

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        let connection = facts.content.connection.value
        let address = String(
            connection.peer.prefix(upTo: connection.peer.lastIndex(of: ":") ?? connection.peer.endIndex))
        guard var host = hosts[address] else {
            hosts[address] = Host(connection: connection.id)
            return
        }
        if host.connection == connection.id {
            host.requests += 1
        } else {
            host.single = host.requests == 1 ? host.single + 1 : 0
            host.connection = connection.id
            host.requests = 1
        }
        // The present one has one request so far, and may get more.
        if host.single >= Self.habit, !host.isRemarked {
            host.isRemarked = true
            remarks.append(
                .init(
                    code: .connectionPerRequest,
                    message: "\(host.single) connections in a row from \(address) sent one request each."))
        }
        hosts[address] = host
    }
}
