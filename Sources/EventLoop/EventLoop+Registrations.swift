extension EventLoop {
    /// Calls the handler whenever the descriptor is readable, and when it is writable while that is asked for.
    package func watch(_ descriptor: Int32, _ handler: any ReadinessHandler) throws(EventLoopError) -> SocketWatch {
        assertOnLoop()
        return try SocketWatch(descriptor, handler, on: self)
    }

    /// Calls `body` once after so many milliseconds and never earlier, unless the timer is cancelled or released.
    package func after(milliseconds: Int64, _ body: @escaping () -> Void) throws(EventLoopError) -> LoopTimer {
        assertOnLoop()
        return try LoopTimer(milliseconds: milliseconds, on: self, body)
    }

    /// Calls `body` on this loop each time the signal comes (SIGTERM, SIGINT and the like). libevent delivers signals to
    /// one loop of the process only: watch them all on the same one.
    package func onSignal(_ number: Int32, _ body: @escaping () -> Void) throws(EventLoopError) -> SignalWatch {
        assertOnLoop()
        return try SignalWatch(number, on: self, body)
    }

    /// Calls `body` once when the process has ended; at once, before this returns, when there is none of this number.
    package func onExit(ofProcess number: Int32, _ body: @escaping () -> Void) throws(EventLoopError) -> ProcessWatch {
        assertOnLoop()
        return try ProcessWatch(number, on: self, body)
    }
}
