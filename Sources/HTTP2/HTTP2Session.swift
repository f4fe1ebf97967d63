package import HTTP

/// The server's side of one HTTP/2 connection: bytes in, requests out; responses in, bytes out. It knows no socket.
///
/// Confined to one thread.
package final class HTTP2Session {
    /// What a session tells its owner; called only from within ``receive(_:)``.
    package protocol Delegate: AnyObject {
        /// A request is complete; answer it now or later with ``HTTP2Session/respond(_:stream:)``.
        func session(_ session: HTTP2Session, received request: consuming HTTPRequest, stream: Int32)
        /// A stream ended; `code` is 0 after a complete answer, else the code of its RST_STREAM.
        func session(_ session: HTTP2Session, closedStream stream: Int32, code: UInt32)
    }

    /// The numbers of a session.
    package struct Configuration: Sendable {
        package var maxConcurrentStreams: UInt32 = 1000
        package var maxHeaderListSize: UInt32 = 16 << 10
        /// What a body may have at most before the rest is dropped (the request is still handed over, cut).
        package var maxBodyBytes = 64 << 10
        package init() {}
    }

    /// Tables that the sessions of one loop share.
    package final class Callbacks {
        package init() { fatalError("contract") }
    }

    /// A new session; its SETTINGS are the first output. `delegate` is not retained.
    package init(callbacks: Callbacks, configuration: Configuration, delegate: any Delegate) throws(HTTP2Error) {
        fatalError("contract")
    }

    /// Takes bytes of the peer; an error ends the connection after the pending output (a GOAWAY) was sent.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) { fatalError("contract") }

    /// Answers a stream; ignored when the stream has gone.
    package func respond(_ response: HTTPResponse, stream: Int32) { fatalError("contract") }

    /// Resets a stream.
    package func reset(stream: Int32, code: UInt32) { fatalError("contract") }

    /// Sends SETTINGS with a new MAX_CONCURRENT_STREAMS.
    package func announce(maxConcurrentStreams: UInt32) { fatalError("contract") }

    /// Sends GOAWAY; `lastStream` nil names the last one processed.
    package func goAway(code: UInt32, lastStream: Int32?, debugData: [UInt8]) { fatalError("contract") }

    /// Copies pending output to the end of `buffer` until it holds `limit` bytes or nothing is left.
    package func fill(_ buffer: inout [UInt8], limit: Int) throws(HTTP2Error) { fatalError("contract") }

    /// Whether the session expects more input or has more output; when both are false the connection can be closed.
    package var wantsRead: Bool { fatalError("contract") }
    package var wantsWrite: Bool { fatalError("contract") }
    /// How many streams are open.
    package var openStreams: Int { fatalError("contract") }
}

@available(*, unavailable)
extension HTTP2Session: Sendable {}
