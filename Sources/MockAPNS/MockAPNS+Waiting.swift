import EventLoop
import JSON

extension MockAPNS {
    /// Waits for a push to this device and returns it; fails with the nearest misses when none comes in time.
    ///
    /// Conditions are parameters of the admin API: `["aps.alert.title": "Shipped*", "payload.orderId": "42"]`.
    public func notification(
        to device: String? = nil, where conditions: [String: String] = [:], after cursor: UInt64 = 0,
        within limit: Duration = .seconds(5)
    ) async throws -> Notification {
        let found = try await notifications(1, to: device, where: conditions, after: cursor, within: limit)
        guard let first = found.first else { throw Failure("the server found nothing and did not say so") }
        return first
    }

    /// Waits for at least so many pushes and returns them in order.
    public func notifications(
        _ count: Int, to device: String? = nil, where conditions: [String: String] = [:], after cursor: UInt64 = 0,
        within limit: Duration = .seconds(5)
    ) async throws -> [Notification] {
        try await ask(["count": String(count)], device, conditions, cursor, limit)
    }

    /// Waits for exactly so many pushes, and for a quiet moment after the last; fails the instant one more comes.
    ///
    /// Zero pushes: none comes within the time.
    @discardableResult
    public func notifications(
        exactly count: Int, to device: String? = nil, where conditions: [String: String] = [:],
        after cursor: UInt64 = 0,
        within limit: Duration = .seconds(5)
    ) async throws -> [Notification] {
        try await ask(["exactly": String(count)], device, conditions, cursor, limit)
    }

    /// The accepted pushes so far, oldest first.
    public func notifications(
        to device: String? = nil, where conditions: [String: String] = [:], after cursor: UInt64 = 0
    ) async throws -> [Notification] {
        try await ask(["limit": "1000"], device, conditions, cursor, nil)
    }

    private func ask(
        _ expectation: [String: String], _ device: String?, _ conditions: [String: String], _ cursor: UInt64,
        _ limit: Duration?
    ) async throws -> [Notification] {
        var parameters = conditions.merging(expectation) { $1 }
        parameters["after"] = String(cursor)
        parameters["device"] = device
        let question = Question(
            admin: admin, parameters: parameters, wait: limit.map { max(0, Int64($0 / .milliseconds(1))) })
        return try await OwnThread.run("mock-apns-wait") { try question.ask() }
    }
}

/// A question to the admin API; asking it waits.
private struct Question: Sendable {
    let admin: (host: String, port: UInt16)
    let parameters: [String: String]
    /// How long the server waits, in milliseconds.
    let wait: Int64?

    /// How long an answer may take beyond the time that the server waits.
    private static let patience: Int64 = 30_000

    func ask() throws -> [MockAPNS.Notification] {
        let response = try send(
            parameters.merging(wait.map { ["wait": "\($0)ms"] } ?? [:]) { $1 }, accept: "application/json")
        guard response.status == 200 else {
            // The same question without a wait, for its explanation in words.
            let text = String(decoding: try send(parameters, accept: "text/plain").body, as: UTF8.self)
            if response.status == 417 { throw MockAPNS.ExpectationUnmet(description: text) }
            throw MockAPNS.Failure(text)
        }
        var document = JSONDocument()
        guard document.parse(response.body, in: 0..<response.body.count) == nil,
            let items = document.member("items", of: document.root)
        else { throw MockAPNS.Failure("the server's answer is no list of entries") }
        return try document.children(of: items).map { try .init(Array(response.body[document.range($0)])) }
    }

    private func send(_ parameters: [String: String], accept: String) throws -> HTTP1Client.Response {
        let query = parameters.sorted { $0.key < $1.key }.map { Self.escaped($0.key) + "=" + Self.escaped($0.value) }
        return try HTTP1Client.send(
            method: "GET", host: admin.host, port: admin.port,
            target: "/v1/notifications?" + query.joined(separator: "&"), headers: [("accept", accept)],
            timeoutMilliseconds: (wait ?? 0) + Self.patience)
    }

    /// Percent-encodes all but letters, digits and `-._~*`.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || [42, 45, 46, 95, 126].contains(byte)
            if isPlain { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0" + digits : "%" + digits
        }.joined()
    }
}
