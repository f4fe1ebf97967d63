import CLibevent

/// A descriptor's registration with its loop; it does not own the descriptor, which is closed after ``cancel()``.
@safe package final class SocketWatch {
    private let loop: EventLoop
    private unowned(unsafe) let handler: any ReadinessHandler
    private var readEvent: OpaquePointer?
    private var writeEvent: OpaquePointer?
    private var isReading = false
    private var isWriting = false

    init(_ descriptor: Int32, _ handler: any ReadinessHandler, on loop: EventLoop) throws(EventLoopError) {
        self.loop = loop
        unsafe self.handler = handler
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let base = unsafe loop.base.pointer
        unsafe readEvent = event_new(base, descriptor, Int16(EV_READ | EV_PERSIST), descriptorIsReadable, context)
        unsafe writeEvent = event_new(base, descriptor, Int16(EV_WRITE | EV_PERSIST), descriptorIsWritable, context)
        guard unsafe readEvent != nil, unsafe writeEvent != nil else { throw .last("watch descriptor \(descriptor)") }
        wantsRead = true
        guard isReading else { throw .last("watch descriptor \(descriptor)") }
    }

    deinit {
        if let event = unsafe readEvent { unsafe event_free(event) }
        if let event = unsafe writeEvent { unsafe event_free(event) }
    }

    /// Whether ``ReadinessHandler/writable()`` is wanted; off at first.
    package var wantsWrite: Bool {
        get { isWriting }
        set {
            loop.assertOnLoop()
            guard newValue != isWriting, let event = unsafe writeEvent else { return }
            isWriting = unsafe newValue ? event_add(event, nil) == 0 : event_del(event) != 0
        }
    }

    /// Whether ``ReadinessHandler/readable()`` is wanted; on at first.
    package var wantsRead: Bool {
        get { isReading }
        set {
            loop.assertOnLoop()
            guard newValue != isReading, let event = unsafe readEvent else { return }
            isReading = unsafe newValue ? event_add(event, nil) == 0 : event_del(event) != 0
        }
    }

    /// Ends the registration; may be called again. Calls that are due in this turn are dropped, too.
    package func cancel() {
        loop.assertOnLoop()
        wantsRead = false
        wantsWrite = false
        if let event = unsafe readEvent { unsafe event_free(event) }
        if let event = unsafe writeEvent { unsafe event_free(event) }
        unsafe readEvent = nil
        unsafe writeEvent = nil
    }

    // The handler is retained during its call, as it may give up itself and this watch there; afterwards neither is
    // touched.
    fileprivate func readable() {
        let handler = unsafe handler
        handler.readable()
        extendLifetime(handler)
    }

    fileprivate func writable() {
        let handler = unsafe handler
        handler.writable()
        extendLifetime(handler)
    }
}

@available(*, unavailable)
extension SocketWatch: Sendable {}

private func descriptorIsReadable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<SocketWatch>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.readable() }
}

private func descriptorIsWritable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<SocketWatch>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.writable() }
}
