/// One request of a guest and the way to answer it; confined to its loop.
package final class HTTP1Exchange {
    /// "GET", in upper case.
    package let method: String
    /// The target without its query, still percent-encoded: "/v1/notifications".
    package let path: String
    /// The part behind `?`, still percent-encoded; empty without one.
    package let query: String
    /// The body.
    package let body: [UInt8]
    /// The peer's address.
    package let peer: String

    /// The first value of a header field; names in any case.
    package func header(_ name: String) -> String? { fatalError("contract") }

    /// Answers and ends the exchange; ignored when the guest has gone or was answered.
    package func respond(status: Int, headers: [(String, String)], body: [UInt8]) { fatalError("contract") }

    /// Starts an answer whose body comes in pieces (chunked).
    package func startStream(status: Int, headers: [(String, String)]) { fatalError("contract") }

    /// Sends a piece.
    package func send(_ bytes: [UInt8]) { fatalError("contract") }

    /// How many bytes of pieces wait for a slow guest.
    package var pendingBytes: Int { fatalError("contract") }

    /// Ends a streamed answer.
    package func endStream() { fatalError("contract") }

    /// Called once when the guest leaves before the answer is complete.
    package var onClose: (() -> Void)?

    /// Whether the guest has left or was answered.
    package var isFinished: Bool { fatalError("contract") }

    init(method: String, path: String, query: String, body: [UInt8], peer: String) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.peer = peer
    }
}
