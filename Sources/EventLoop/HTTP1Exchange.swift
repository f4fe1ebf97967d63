import CLibevent

/// One request of a guest and the way to answer it; confined to its loop.
@safe package final class HTTP1Exchange {
    /// "GET", in upper case.
    package let method: String
    /// The target without its query, still percent-encoded: "/v1/notifications".
    package let path: String
    /// The part behind `?`, still percent-encoded; empty without one.
    package let query: String
    /// All header fields in the order of their arrival.
    package let headers: [(name: String, value: String)]
    /// The body.
    package let body: [UInt8]
    /// The connection that brought the request.
    package let connection: HTTP1Connection
    /// The peer's address: "127.0.0.1:53122", or "unix".
    package var peer: String { connection.peer }

    /// Called once when the guest leaves before the answer is complete, or when the server closes at once.
    package var onClose: (() -> Void)?

    /// Called once when the answer has been written whole, so that the connection could bring the next request.
    package var onAnswered: (() -> Void)?

    /// Called when the guest has taken all pieces sent so far; after the handlers of the turn, so that it may send more.
    package var onDrain: (() -> Void)?

    private enum State {
        case waiting, streaming, sending, finished
    }

    private let engine: HTTP1Engine
    private var state = State.waiting
    /// evhttp's request, which belongs to evhttp until its connection is closed; nil when it is gone.
    private var request: OpaquePointer?

    init(_ request: OpaquePointer, _ connection: HTTP1Connection, engine: HTTP1Engine) {
        let head = unsafe HTTP1RequestHead(request)
        method = head.method
        path = head.path
        query = head.query
        headers = head.headers
        body = unsafe evhttp_request_get_input_buffer(request).map { unsafe HTTP1Buffer.bytes(of: $0) } ?? []
        self.connection = connection
        self.engine = engine
        unsafe self.request = request
        connection.exchange = self
        unsafe evhttp_request_set_on_complete_cb(request, answerIsOut, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The first value of a header field; names in any case.
    package func header(_ name: String) -> String? {
        headers.first { HTTP1Fields.isSame($0.name, name) }?.value
    }

    /// Whether the guest has left or was answered.
    package var isFinished: Bool { state == .finished || state == .sending }

    /// How many bytes of pieces wait for a slow guest.
    package var pendingBytes: Int {
        engine.loop.assertOnLoop()
        guard let events = unsafe bufferEvents else { return 0 }
        return unsafe evbuffer_get_length(bufferevent_get_output(events))
    }

    /// How many bytes the guest has sent ahead and are held for later.
    var bytesAhead: Int {
        guard let events = unsafe bufferEvents else { return 0 }
        return unsafe evbuffer_get_length(bufferevent_get_input(events))
    }

    /// Answers and ends the exchange; ignored when the guest has gone or was answered.
    ///
    /// The length is ours to state: fields of the framing (Content-Length, Transfer-Encoding) are left out. A HEAD request
    /// gets the length of the body and not the body.
    package func respond(status: Int, headers: [(String, String)], body: [UInt8]) {
        engine.loop.assertOnLoop()
        guard state == .waiting, let request = unsafe request else { return }
        state = .sending
        onClose = nil
        unsafe HTTP1Fields.add(headers, to: request)
        var content: [UInt8] = []
        if HTTP1Status.hasBody(status) {
            unsafe HTTP1Fields.add("Content-Length", String(body.count), to: request)
            if method != "HEAD" { content = body }
        }
        unsafe HTTP1Buffer.with(content) { buffer in
            unsafe evhttp_send_reply(request, Int32(clamping: status), HTTP1Status.phrase(of: status), buffer)
        }
        stopReading()
    }

    /// Starts an answer whose body comes in pieces (chunked); the connection ends with it.
    package func startStream(status: Int, headers: [(String, String)]) {
        engine.loop.assertOnLoop()
        guard state == .waiting, let request = unsafe request else { return }
        state = .streaming
        unsafe HTTP1Fields.add(headers, to: request)
        // An HTTP/1.0 guest with keep-alive would be promised a length of 0 by evhttp.
        if let input = unsafe evhttp_request_get_input_headers(request) {
            while unsafe evhttp_remove_header(input, "Connection") == 0 {}
        }
        unsafe HTTP1Fields.add("Connection", "close", to: request)
        unsafe evhttp_send_reply_start(request, Int32(clamping: status), HTTP1Status.phrase(of: status))
        watchForLeaving()
    }

    /// Sends a piece.
    package func send(_ bytes: [UInt8]) {
        engine.loop.assertOnLoop()
        guard state == .streaming, !bytes.isEmpty, let request = unsafe request else { return }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe HTTP1Buffer.with(bytes) { buffer in
            if let buffer = unsafe buffer {
                unsafe evhttp_send_reply_chunk_with_cb(request, buffer, piecesAreOut, context)
            }
        }
    }

    /// Ends a streamed answer.
    package func endStream() {
        engine.loop.assertOnLoop()
        guard state == .streaming, let request = unsafe request else { return }
        state = .sending
        onClose = nil
        unsafe evhttp_send_reply_end(request)
        stopReading()
    }

    /// Why the request is refused before the handler sees it.
    var framingFault: String? { HTTP1RequestHead.framingFault(method: method, path: path, headers: headers) }

    /// Answers a request that the handler does not see, and ends the connection, as what follows may be no request.
    func refuse(status: Int, words: String) {
        respond(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")],
            body: Array((words + "\n").utf8))
    }

    /// While an answer is awaited evhttp does not read, so it would not see the guest leave: read on, within a bound. evhttp
    /// must not be called for what comes, as it takes bytes in this state for a fault of its own and ends the process.
    func watchForLeaving() {
        guard state == .waiting || state == .streaming, let events = unsafe bufferEvents else { return }
        var write: bufferevent_data_cb?
        var event: bufferevent_event_cb?
        var context: UnsafeMutableRawPointer?
        unsafe bufferevent_getcb(events, nil, &write, &event, &context)
        unsafe bufferevent_setcb(events, nil, write, event, context)
        unsafe bufferevent_setwatermark(events, Int16(EV_READ), 0, HTTP1Server.Limits.bytesAhead)
        // Waiting for an answer is no silence of the guest's.
        var silence = engine.silence
        unsafe bufferevent_set_timeouts(events, nil, &silence)
        _ = unsafe bufferevent_enable(events, Int16(EV_READ))
    }

    /// A guest that has sent its request and closed its half still gets the answer.
    private func stopReading() {
        guard let events = unsafe bufferEvents else { return }
        _ = unsafe bufferevent_disable(events, Int16(EV_READ))
    }

    /// Everything sent so far has been written.
    fileprivate func piecesHaveGone() {
        engine.loop.afterTurn { [weak self] in
            guard let self, self.state == .streaming else { return }
            self.onDrain?()
        }
    }

    /// The answer has been written; the connection may be used for the next request.
    fileprivate func answerHasGone() {
        if let events = unsafe bufferEvents {
            unsafe bufferevent_setwatermark(events, Int16(EV_READ), 0, 0)
            var silence = engine.silence
            unsafe bufferevent_set_timeouts(events, &silence, &silence)
        }
        let call = onAnswered.take()
        finish()
        call?()
    }

    /// The connection is closed, by the guest, by its silence or by the server; evhttp frees it after this call.
    func guestHasLeft() {
        // evhttp lets go of a request that its user still works on.
        if let request = unsafe request, unsafe evhttp_request_get_connection(request) == nil {
            unsafe evhttp_request_free(request)
        }
        let call = onClose.take()
        finish()
        call?()
    }

    private func finish() {
        state = .finished
        unsafe request = nil
        onClose = nil
        onAnswered = nil
        if connection.exchange === self { connection.exchange = nil }
        onDrain = nil
        engine.remove(self)
    }

    private var bufferEvents: OpaquePointer? {
        guard let request = unsafe request, let connection = unsafe evhttp_request_get_connection(request) else {
            return nil
        }
        return unsafe evhttp_connection_get_bufferevent(connection)
    }
}

@available(*, unavailable)
extension HTTP1Exchange: Sendable {}

// Called while the engine holds the exchange, which is retained during the call, as it ends there.
private func answerIsOut(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let exchange = unsafe Unmanaged<HTTP1Exchange>.fromOpaque(context).takeUnretainedValue()
    exchange.answerHasGone()
}

// evhttp calls it only for a connection that it still has, whose exchange the engine holds as long as it streams.
private func piecesAreOut(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let exchange = unsafe Unmanaged<HTTP1Exchange>.fromOpaque(context).takeUnretainedValue()
    exchange.piecesHaveGone()
}
