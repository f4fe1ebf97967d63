/// Where a connection is in its life: opening → handshake → http2 → draining → lingering → closed, without handshake on a
/// clear-text listener. Each event says what to do next; no phase is ever entered again.
struct ConnectionPhase: ~Copyable {
    /// The phases in their order.
    enum Name: UInt8, Comparable {
        /// Nothing is known of the peer; it may ask for a tunnel first.
        case opening
        /// TLS is being agreed on.
        case handshake
        /// Requests are read and answered.
        case http2
        /// No new requests; what is in flight is answered, what is written is sent.
        case draining
        /// Our last byte is sent; the peer's are thrown away until it closes too.
        case lingering
        /// The descriptor is gone.
        case closed

        static func < (left: Name, right: Name) -> Bool { left.rawValue < right.rawValue }
    }

    /// What an event asks for.
    enum Action: Equatable {
        case nothing
        /// Send GOAWAY; close when all is answered.
        case goAway
        /// Close our side; wait for the peer's.
        case linger
        /// Close.
        case close
    }

    /// The present phase.
    private(set) var name = Name.opening

    init() {}

    /// The peer begins TLS.
    mutating func tlsBegins() {
        advance(from: .opening, to: .handshake)
    }

    /// TLS is agreed on.
    mutating func handshakeEnds() {
        advance(from: .handshake, to: .http2)
    }

    /// The peer begins HTTP/2 without TLS.
    mutating func clearTextBegins() {
        advance(from: .opening, to: .http2)
    }

    /// The connection shall end politely: server stop or idle time-out.
    mutating func endRequested() -> Action {
        switch name {
        case .opening, .handshake:
            name = .closed
            return .close
        case .http2:
            name = .draining
            return .goAway
        case .draining, .lingering, .closed:
            return .nothing
        }
    }

    /// The peer broke the protocol: what is written is still sent, nothing is read.
    mutating func peerFailed() -> Action {
        switch name {
        case .opening, .handshake:
            name = .lingering
            return .linger
        case .http2:
            name = .draining
            return .nothing
        case .draining, .lingering, .closed:
            return .nothing
        }
    }

    /// All output is sent; `isFinished` when no request is in flight.
    mutating func outputSent(isFinished: Bool) -> Action {
        guard name == .draining, isFinished else { return .nothing }
        name = .lingering
        return .linger
    }

    /// The peer has gone, or time is up.
    mutating func peerLeft() -> Action {
        guard name != .closed else { return .nothing }
        name = .closed
        return .close
    }

    private mutating func advance(from old: Name, to new: Name) {
        assert(name == old, "a connection cannot go from \(name) to \(new)")
        if name == old { name = new }
    }
}
