import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection of a guest, which may bring several requests, one after the other; confined to its loop.
@safe package final class HTTP1Connection {
    /// The peer's address: "127.0.0.1:53122", or "unix".
    package let peer: String
    /// What the server's user keeps of the connection as long as it is open.
    package var companion: AnyObject?
    /// Called once when the connection has closed, whoever closed it.
    package var onClose: (() -> Void)?

    /// The request that is being answered.
    var exchange: HTTP1Exchange?

    private let engine: HTTP1Engine
    /// evhttp's connection; nil when it is gone.
    private var pointer: OpaquePointer?

    init(_ pointer: OpaquePointer, engine: HTTP1Engine) {
        peer = unsafe HTTP1RequestHead.peer(of: pointer, isUnix: engine.address.port == nil)
        self.engine = engine
        unsafe self.pointer = pointer
        // The engine holds this object until the callback.
        unsafe evhttp_connection_set_closecb(pointer, connectionHasClosed, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Closes the connection after this turn, without an answer to what is in flight; may be called again.
    package func close() {
        engine.loop.assertOnLoop()
        engine.loop.soon { [self] in
            if let pointer = unsafe pointer { unsafe evhttp_connection_free(pointer) }
        }
    }

    /// Closes the connection after this turn by a TCP reset; may be called again.
    package func reset() {
        engine.loop.assertOnLoop()
        engine.loop.soon { [self] in
            guard let pointer = unsafe pointer else { return }
            if let events = unsafe evhttp_connection_get_bufferevent(pointer) {
                _ = unsafe bufferevent_disable(events, Int16(EV_READ | EV_WRITE))
                Self.reset(unsafe bufferevent_getfd(events))
            }
            unsafe evhttp_connection_free(pointer)
        }
    }

    /// Ends what the descriptor stands for with a reset. evhttp, which would say goodbye in order before it closes, keeps the
    /// descriptor, and finds nothing behind it.
    private static func reset(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        // Without a descriptor to spare the end is an orderly one.
        guard nothing >= 0 else { return }
        _ = dup2(nothing, descriptor)
        _ = systemClose(nothing)
    }

    /// evhttp frees the connection after this call.
    fileprivate func hasClosed() {
        guard let pointer = unsafe pointer else { return }
        unsafe self.pointer = nil
        unsafe engine.forget(pointer)
        exchange?.guestHasLeft()
        exchange = nil
        companion = nil
        onClose.take()?()
    }
}

@available(*, unavailable)
extension HTTP1Connection: Sendable {}

private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

private func connectionHasClosed(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTP1Connection>.fromOpaque(context).takeUnretainedValue().hasClosed()
}
