import CNghttp2

/// The client's side of one HTTP/2 connection, for `mock-apns send` and the tests. It knows no socket.
///
/// Confined to one thread.
package final class HTTP2ClientSession {
    /// What happened to a stream or to the connection.
    package enum Event: Sendable {
        case response(stream: Int32, Response)
        case reset(stream: Int32, code: UInt32)
        case goAway(lastStream: Int32, code: UInt32, debugData: [UInt8])
        /// The server's SETTINGS; `maxConcurrentStreams` is nil when the frame does not name it.
        case settings(maxConcurrentStreams: UInt32?)
        /// The server acknowledged our SETTINGS.
        case settingsAcknowledged
        /// The server answered a PING.
        case pingAcknowledged
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

        /// The value of the first field of this name.
        package subscript(name: String) -> String? {
            fields.first { $0.name == name }?.value
        }
    }

    let handle: SessionHandle
    /// Answers that have not ended.
    var partial: [Int32: Response] = [:]
    /// What happened since the last look.
    var events: [Event] = []
    /// Bodies that have not left yet.
    var bodies: [Int32: OutgoingBody] = [:]
    /// Bytes to be sent before anything else, as they are.
    private var injected: [UInt8] = []
    /// nghttp2's words for the last thing it did not like.
    var lastComplaint = ""
    /// All entries of the server's SETTINGS frames in the order of arrival.
    package internal(set) var serverSettings: [HTTP2Setting] = []

    /// A new session; preface and SETTINGS with these entries are its first output.
    ///
    /// `firstStream` is the id of the first request, `connectionWindow` how much the server may have under way.
    package init(
        settings: [HTTP2Setting] = [.enablePush(0), .initialWindowSize(1 << 20)], firstStream: Int32 = 1
    ) throws(HTTP2Error) {
        let tables = ClientCallbacks()
        var session: OpaquePointer?
        let status = unsafe nghttp2_session_client_new2(&session, tables.callbacks, nil, tables.options)
        guard status == 0, let session = unsafe session else {
            throw HTTP2Error(library: status, doing: "new client session")
        }
        handle = unsafe SessionHandle(session)
        unsafe nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        if firstStream != 1 { unsafe _ = nghttp2_session_set_next_stream_id(session, firstStream) }
        try send(settings: settings)
    }

    /// Sends SETTINGS.
    package func send(settings: [HTTP2Setting]) throws(HTTP2Error) {
        let entries = settings.map { nghttp2_settings_entry(settings_id: Int32($0.id), value: $0.value) }
        let status = unsafe entries.withUnsafeBufferPointer {
            unsafe nghttp2_submit_settings(
                handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), $0.baseAddress, $0.count)
        }
        guard status == 0 else { throw HTTP2Error(library: status, doing: "sending SETTINGS") }
    }

    /// Starts a request; fields in this order, pseudo-header fields included. Returns the stream.
    ///
    /// A request above the server's MAX_CONCURRENT_STREAMS waits for a free stream.
    package func submit(_ fields: [(String, String)], body: [UInt8]) throws(HTTP2Error) -> Int32 {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: value.utf8)
        }
        let stream = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var next = buffer.baseAddress
            let list = unsafe fields.map { name, value in
                let field = unsafe nghttp2_nv(
                    name: next, value: next.map { unsafe $0 + name.utf8.count },
                    namelen: name.utf8.count, valuelen: value.utf8.count,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
                unsafe next = next.map { unsafe $0 + name.utf8.count + value.utf8.count }
                return unsafe field
            }
            var provider = unsafe nghttp2_data_provider(source: nghttp2_data_source(), read_callback: clientReadBody)
            return unsafe list.withUnsafeBufferPointer {
                body.isEmpty
                    ? unsafe nghttp2_submit_request(handle.pointer, nil, $0.baseAddress, $0.count, nil, nil)
                    : unsafe nghttp2_submit_request(handle.pointer, nil, $0.baseAddress, $0.count, &provider, nil)
            }
        }
        guard stream > 0 else { throw HTTP2Error(library: stream, doing: "sending a request") }
        if !body.isEmpty { bodies[stream] = .bytes(body, sent: 0) }
        return stream
    }

    /// Takes bytes of the server; returns what happened.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) -> [Event] {
        if let start = bytes.baseAddress, unsafe !bytes.isEmpty {
            let taken = unsafe nghttp2_session_mem_recv(
                handle.pointer, start.assumingMemoryBound(to: UInt8.self), bytes.count)
            guard taken >= 0 else {
                throw HTTP2Error(
                    library: Int32(truncatingIfNeeded: taken), doing: "reading answers", detail: lastComplaint)
            }
        }
        return exchange(&events, with: [])
    }

    /// Copies pending output to the end of `buffer`.
    package func fill(_ buffer: inout [UInt8]) throws(HTTP2Error) {
        buffer.append(contentsOf: injected)
        injected.removeAll()
        while true {
            var start: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(handle.pointer, &start)
            guard count >= 0 else {
                throw HTTP2Error(library: Int32(truncatingIfNeeded: count), doing: "making output")
            }
            guard count > 0, let start = unsafe start else { return }
            unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }

    /// Puts raw bytes in front of the pending output; for frames that a well-behaved client would not send.
    package func inject(_ bytes: [UInt8]) {
        injected.append(contentsOf: bytes)
    }

    /// Resets a stream.
    package func reset(stream: Int32, code: UInt32) {
        unsafe _ = nghttp2_submit_rst_stream(handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code)
    }

    /// Sends PING.
    package func ping() {
        unsafe _ = nghttp2_submit_ping(handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Sends GOAWAY.
    package func goAway(code: UInt32 = 0) {
        unsafe _ = nghttp2_submit_goaway(handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, code, nil, 0)
    }

    /// What has come of an answer that has not ended.
    package func unfinishedResponse(stream: Int32) -> Response? { partial[stream] }

    /// Whether the session expects more input or has more output.
    package var wantsRead: Bool { unsafe nghttp2_session_want_read(handle.pointer) != 0 }
    package var wantsWrite: Bool { unsafe nghttp2_session_want_write(handle.pointer) != 0 || !injected.isEmpty }
}

@available(*, unavailable)
extension HTTP2ClientSession: Sendable {}
