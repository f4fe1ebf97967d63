import CLibevent
import Locking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What evhttp's callbacks reach: it lives until evhttp is freed, which must not happen within one of them.
@safe final class HTTP1Engine {
    let address: SocketAddress
    let loop: EventLoop
    let limits: HTTP1Server.Limits

    private var handler: HTTP1Server.Handler?
    private var server: OpaquePointer?
    private var socket: ListeningSocketReference?
    private var boundSocket: OpaquePointer?
    private var pause: LoopTimer?
    /// The open connections that have brought a request, by evhttp's pointers.
    private var connections: [UInt: HTTP1Connection] = [:]
    private var exchanges: [ObjectIdentifier: HTTP1Exchange] = [:]
    private var completions: [() -> Void] = []
    private var isClosing = false
    private var isFreeing = false

    init(
        _ address: SocketAddress, on loop: EventLoop, limits: HTTP1Server.Limits, handler: @escaping HTTP1Server.Handler
    ) throws(EventLoopError) {
        let socket = ListeningSocketReference(try ListeningSocket(address, backlog: Listener.backlog))
        self.address = socket.listening.address
        self.loop = loop
        self.limits = limits
        self.handler = handler
        self.socket = socket
        guard let server = unsafe evhttp_new(loop.base.pointer) else { throw .last("serve \(address)") }
        unsafe self.server = server
        unsafe configure(server)
        // Without LEV_OPT_CLOSE_ON_FREE: the socket closes its descriptor itself.
        let listener = unsafe evconnlistener_new(
            loop.base.pointer, nil, nil, UInt32(LEV_OPT_CLOSE_ON_EXEC), 0, socket.listening.descriptor)
        guard let listener = unsafe listener else { throw .last("serve \(address)") }
        guard let bound = unsafe evhttp_bind_listener(server, listener) else {
            unsafe evconnlistener_free(listener)
            throw .last("serve \(address)")
        }
        unsafe boundSocket = bound
        unsafe evconnlistener_set_error_cb(listener, acceptHasFailed)
        enginesOfListeners.withLock { $0[UInt(bitPattern: listener)] = LoopBound(self, on: loop) }
    }

    deinit {
        // Only an initialiser that threw leaves something here; later closeNow() has been called.
        if let server = unsafe server { unsafe evhttp_free(server) }
    }

    private func configure(_ server: OpaquePointer) {
        unsafe evhttp_set_max_headers_size(server, limits.headers)
        unsafe evhttp_set_max_body_size(server, limits.body)
        // A guest whose body is too long is read to the end of it, else it would see a reset instead of the 413.
        _ = unsafe evhttp_set_flags(server, EVHTTP_SERVER_LINGERING_CLOSE)
        unsafe evhttp_set_timeout(server, Int32(limits.silenceSeconds))
        // Answers name their own type.
        unsafe evhttp_set_default_content_type(server, nil)
        unsafe evhttp_set_allowed_methods(server, HTTP1Method.allowed)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe evhttp_set_gencb(server, requestHasCome, context)
    }

    /// How long a guest may be silent.
    var silence: timeval { timeval(milliseconds: Int64(limits.silenceSeconds) * 1000) }

    /// A whole request.
    fileprivate func receive(_ request: OpaquePointer) {
        guard let pointer = unsafe evhttp_request_get_connection(request) else { return }
        let connection = unsafe connection(pointer)
        let exchange = unsafe HTTP1Exchange(request, connection, engine: self)
        exchanges[ObjectIdentifier(exchange)] = exchange
        if isClosing {
            exchange.refuse(status: 503, words: "The server is stopping.")
        } else if let fault = exchange.framingFault {
            exchange.refuse(status: 400, words: fault)
        } else {
            handler?(exchange)
            exchange.watchForLeaving()
        }
    }

    private func connection(_ pointer: OpaquePointer) -> HTTP1Connection {
        let key = UInt(bitPattern: pointer)
        if let known = connections[key] { return known }
        let connection = unsafe HTTP1Connection(pointer, engine: self)
        connections[key] = connection
        return connection
    }

    /// The connection has closed.
    func forget(_ pointer: OpaquePointer) {
        connections[UInt(bitPattern: pointer)] = nil
    }

    /// The exchange is over, whichever way.
    func remove(_ exchange: HTTP1Exchange) {
        exchanges[ObjectIdentifier(exchange)] = nil
        if isClosing, exchanges.isEmpty { loop.soon { [weak self] in self?.freeIfIdle() } }
    }

    func close(completion: (() -> Void)?) {
        loop.assertOnLoop()
        if let completion { completions.append(completion) }
        isClosing = true
        stopAccepting()
        loop.soon { [weak self] in self?.freeIfIdle() }
    }

    func closeNow() {
        loop.assertOnLoop()
        isClosing = true
        stopAccepting()
        handler = nil
        loop.afterTurn { self.free() }
    }

    private func stopAccepting() {
        pause = nil
        if let server = unsafe server, let bound = unsafe boundSocket {
            if let listener = unsafe evhttp_bound_socket_get_listener(bound) {
                let key = UInt(bitPattern: listener)
                _ = enginesOfListeners.withLock { $0.removeValue(forKey: key) }
            }
            unsafe evhttp_del_accept_socket(server, bound)
        }
        unsafe boundSocket = nil
        socket = nil
    }

    private func freeIfIdle() {
        if exchanges.isEmpty { free() }
    }

    /// Closes all connections; not within a callback of evhttp.
    private func free() {
        // The exchanges that end here tell their users, who may close again.
        guard !isFreeing else { return }
        isFreeing = true
        defer { isFreeing = false }
        handler = nil
        if let server = unsafe server {
            unsafe self.server = nil
            unsafe evhttp_free(server)
        }
        let calls = completions
        completions = []
        for call in calls { call() }
    }

    /// No descriptors are left: the connection stays in the queue, and without a pause we would spin.
    fileprivate func pauseAccepting(_ listener: OpaquePointer) {
        guard unsafe evconnlistener_disable(listener) == 0 else { return }
        pause = try? loop.after(milliseconds: Listener.pauseMilliseconds) { [weak self] in self?.resumeAccepting() }
        if pause == nil { _ = unsafe evconnlistener_enable(listener) }
    }

    private func resumeAccepting() {
        guard let bound = unsafe boundSocket, let listener = unsafe evhttp_bound_socket_get_listener(bound) else {
            return
        }
        _ = unsafe evconnlistener_enable(listener)
    }
}

/// evhttp leaves no room for a context in the callback of a failed accept, so the engine is looked up.
private let enginesOfListeners = Lock<[UInt: LoopBound<HTTP1Engine>]>([:])

private func requestHasCome(_ request: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let request = unsafe request, let context = unsafe context else { return }
    unsafe Unmanaged<HTTP1Engine>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.receive(request) }
}

private func acceptHasFailed(_ listener: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let listener = unsafe listener else { return }
    let key = UInt(bitPattern: listener)
    let engine = enginesOfListeners.withLock { $0[key] }
    unsafe engine?.value.pauseAccepting(listener)
}
