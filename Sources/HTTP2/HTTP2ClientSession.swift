/// The client's side of one HTTP/2 connection, for `mock-apns send` and the tests. It knows no socket.
package final class HTTP2ClientSession {
    /// What happened to a stream or to the connection.
    package enum Event: Sendable {
        case response(stream: Int32, Response)
        case reset(stream: Int32, code: UInt32)
        case goAway(lastStream: Int32, code: UInt32, debugData: [UInt8])
        case settings(maxConcurrentStreams: UInt32?)
    }

    /// An answer as it came.
    package struct Response: Sendable {
        package var status: Int
        package var fields: [(name: String, value: String)]
        package var body: [UInt8]
        /// Whether END_STREAM was on the HEADERS frame.
        package var endedOnHeaders: Bool
        /// How many DATA frames came.
        package var dataFrames: Int
    }

    package init() throws(HTTP2Error) { fatalError("contract") }

    /// Starts a request; fields in this order, pseudo-header fields included. Returns the stream.
    package func submit(_ fields: [(String, String)], body: [UInt8]) throws(HTTP2Error) -> Int32 {
        fatalError("contract")
    }
    /// Takes bytes of the server; returns what happened.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) -> [Event] { fatalError("contract") }
    /// Copies pending output to the end of `buffer`.
    package func fill(_ buffer: inout [UInt8]) throws(HTTP2Error) { fatalError("contract") }
    /// Resets a stream.
    package func reset(stream: Int32, code: UInt32) { fatalError("contract") }
    /// Sends PING.
    package func ping() { fatalError("contract") }
}
