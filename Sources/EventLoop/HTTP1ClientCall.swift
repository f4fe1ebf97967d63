import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One call of the client on its own loop: look the host up, try its addresses one after the other, read the answer.
@safe final class HTTP1ClientCall {
    private let request: HTTP1ClientRequest
    private let loop: EventLoop
    private let onPiece: (([UInt8]) -> Bool)?
    private let lookup: NameLookup
    private var limit: LoopTimer?
    private var connection: OpaquePointer?
    private var addresses: [String] = []
    /// The address that is tried now, and whether it has accepted the connection.
    private var current = ""
    private var isConnected = false
    private var response = HTTP1Client.Response(status: 0, headers: [], body: [])
    private var result: Result<HTTP1Client.Response, EventLoopError>?
    private var firstFailure: EventLoopError?

    init(_ request: HTTP1ClientRequest, on loop: EventLoop, onPiece: (([UInt8]) -> Bool)?) throws(EventLoopError) {
        self.request = request
        self.loop = loop
        self.onPiece = onPiece
        lookup = try NameLookup(on: loop)
    }

    deinit { freeConnection() }

    /// Begins; the loop is stopped when the result is there.
    func start(timeoutMilliseconds: Int64) throws(EventLoopError) {
        limit = try loop.after(milliseconds: timeoutMilliseconds) { [unowned self] in
            let words = "no answer within \(timeoutMilliseconds) ms"
            fail(EventLoopError(action: "wait for \(request.authority)", errorNumber: ETIMEDOUT, words: words))
        }
        lookup.find(request.host) { [unowned self] addresses in
            self.addresses = addresses
            if addresses.isEmpty {
                fail(
                    EventLoopError(
                        action: "connect to \(request.authority)", errorNumber: EADDRNOTAVAIL,
                        words: "the name \(request.host) is not known"))
            } else {
                tryNextAddress()
            }
        }
    }

    /// What has come of it; after the loop's end.
    func end() throws(EventLoopError) -> HTTP1Client.Response {
        limit = nil
        freeConnection()
        guard let result else {
            throw EventLoopError(action: "wait for \(request.authority)", errorNumber: ECANCELED)
        }
        return try result.get()
    }

    private func tryNextAddress() {
        freeConnection()
        guard result == nil, !addresses.isEmpty else { return }
        let address = addresses.removeFirst()
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard
            let connection = unsafe evhttp_connection_base_new(
                loop.base.pointer, lookup.resolver, address, request.port),
            let message = unsafe request.make(context, exchangeHasEnded)
        else {
            return fail(.last("connect to \(request.authority)"))
        }
        unsafe self.connection = connection
        // The limits are ours: the time by a timer, the length of a head as for guests.
        unsafe evhttp_connection_set_timeout(connection, 1_000_000_000)
        unsafe evhttp_connection_set_max_headers_size(connection, 64 << 10)
        unsafe evhttp_request_set_header_cb(message, headHasCome)
        unsafe evhttp_request_set_chunked_cb(message, pieceHasCome)
        unsafe evhttp_request_set_error_cb(message, exchangeHasFailed)
        current = address
        isConnected = false
        if let events = unsafe evhttp_connection_get_bufferevent(connection) {
            // The first bytes of the request are written when the connection stands.
            _ = unsafe evbuffer_add_cb(bufferevent_get_output(events), bytesAreWritten, context)
        }
        guard let type = HTTP1Method.type(of: request.method),
            unsafe evhttp_make_request(connection, message, type, request.target) == 0
        else {
            return fail(.last("connect to \(request.authority)"))
        }
    }

    private func freeConnection() {
        if let connection = unsafe connection { unsafe evhttp_connection_free(connection) }
        unsafe connection = nil
    }

    private func fail(_ error: EventLoopError) {
        finish(.failure(firstFailure ?? error))
    }

    private func finish(_ outcome: Result<HTTP1Client.Response, EventLoopError>) {
        guard result == nil else { return }
        result = outcome
        loop.stop()
    }

    // MARK: What evhttp reports

    fileprivate func takeHead(_ message: OpaquePointer) {
        response.status = Int(unsafe evhttp_request_get_response_code(message))
        response.headers = unsafe HTTP1Fields.all(evhttp_request_get_input_headers(message))
        if onPiece != nil { limit = nil }
    }

    fileprivate func takePiece(_ message: OpaquePointer) {
        guard result == nil, let buffer = unsafe evhttp_request_get_input_buffer(message) else { return }
        let bytes = unsafe HTTP1Buffer.bytes(of: buffer)
        guard let onPiece else {
            response.body += bytes
            return
        }
        if !onPiece(bytes) { finish(.success(response)) }
    }

    fileprivate func noteConnection() { isConnected = true }

    fileprivate func fail(because fault: evhttp_request_error) {
        // end() follows and tells why.
        guard isConnected else { return }
        let (number, words): (Int32, String)
        switch fault {
        case EVREQ_HTTP_EOF: (number, words) = (ECONNRESET, "the connection ended before the answer did")
        case EVREQ_HTTP_TIMEOUT: (number, words) = (ETIMEDOUT, "no answer")
        case EVREQ_HTTP_DATA_TOO_LONG: (number, words) = (EMSGSIZE, "the answer is too long or its pieces are damaged")
        default: (number, words) = (EPROTO, "the answer is no HTTP/1.1")
        }
        fail(EventLoopError(action: "wait for \(request.authority)", errorNumber: number, words: words))
    }

    /// evhttp is done; without a status it has not even connected.
    fileprivate func end(_ message: OpaquePointer?) {
        guard result == nil else { return }
        let status = unsafe message.map { unsafe evhttp_request_get_response_code($0) } ?? 0
        guard status == 0 else { return finish(.success(response)) }
        if isConnected { return fail(because: EVREQ_HTTP_EOF) }
        // evhttp has lost the reason by now, so the system is asked once more.
        let reason = ConnectProbe.reasonOfFailure(host: current, port: request.port)
        let error = EventLoopError(action: "connect to \(request.authority)", errorNumber: reason)
        if addresses.isEmpty { return fail(error) }
        firstFailure = firstFailure ?? error
        loop.afterTurn { [unowned self] in tryNextAddress() }
    }
}

// The call outlives its loop's run, so that the context is good in all of these.

private func exchangeHasEnded(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTP1ClientCall>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.end(message) }
}

private func bytesAreWritten(
    _: OpaquePointer?, _: UnsafePointer<evbuffer_cb_info>?, _ context: UnsafeMutableRawPointer?
) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTP1ClientCall>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.noteConnection() }
}

private func exchangeHasFailed(_ fault: evhttp_request_error, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTP1ClientCall>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.fail(because: fault) }
}

private func headHasCome(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let message = unsafe message, let context = unsafe context else { return 0 }
    unsafe Unmanaged<HTTP1ClientCall>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.takeHead(message) }
    return 0
}

private func pieceHasCome(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let message = unsafe message, let context = unsafe context else { return }
    unsafe Unmanaged<HTTP1ClientCall>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.takePiece(message) }
}
