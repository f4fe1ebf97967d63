package import HTTP

extension HTTP2Session {
    /// What a session tells its owner, from within ``receive(_:)`` and ``fill(_:limit:)``.
    ///
    /// An answer may be given at once; `receive` and `fill` themselves must not be called from here.
    package protocol Delegate: AnyObject {
        /// A request is complete; answer it now or later with ``HTTP2Session/respond(_:stream:)``.
        func session(_ session: HTTP2Session, received request: consuming HTTPRequest, stream: Int32)
        /// A request is complete that is malformed for HTTP/2 in a value that the owner judges. When the owner answers it, with a
        /// refusal, true, and its stream is reset behind the answer; else it is reset at once.
        func session(
            _ session: HTTP2Session, receivedMalformed request: consuming HTTPRequest, stream: Int32
        ) -> Bool
        /// A stream ended; `code` is 0 after a complete answer, else the code of its RST_STREAM.
        func session(_ session: HTTP2Session, closedStream stream: Int32, code: UInt32)
        /// A stream was reset before its request could be judged.
        func session(_ session: HTTP2Session, rejectedStream stream: Int32, because rejection: StreamRejection)
        /// The peer opened a stream though it had acknowledged what was sent behind our GOAWAY; told once for a connection.
        func session(_ session: HTTP2Session, ignoredStream stream: Int32, after goAway: GoAway)
    }
}

extension HTTP2Session.Delegate {
    /// Nothing to answer.
    package func session(
        _ session: HTTP2Session, receivedMalformed request: consuming HTTPRequest, stream: Int32
    ) -> Bool {
        false
    }
    /// Nothing to tell.
    package func session(_ session: HTTP2Session, rejectedStream stream: Int32, because rejection: StreamRejection) {}
    /// Nothing to tell.
    package func session(_ session: HTTP2Session, ignoredStream stream: Int32, after goAway: GoAway) {}
}
