/// A small HTTP/1.1 client for the command line: one request, one answer, or an answer read piece by piece.
package enum HTTP1Client {
    /// An answer, whole.
    package struct Response: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
    }

    /// Sends one request to `host:port` and waits at most so long; names are looked up without the C library's resolver.
    /// `onPiece` is given each piece of the body as it comes and ends the exchange by returning false.
    package static func send(
        method: String, host: String, port: UInt16, target: String, headers: [(String, String)] = [],
        body: [UInt8] = [],
        timeoutMilliseconds: Int64, onPiece: (([UInt8]) -> Bool)? = nil
    ) throws(EventLoopError) -> Response { fatalError("contract") }
}
