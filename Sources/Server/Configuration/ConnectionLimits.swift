/// What connections may cost this server; each limit has a test.
package struct ConnectionLimits: Sendable {
    /// How many connections are open at most; more are closed at once.
    package var connections = 10_000
    /// Milliseconds from the connection to the end of its TLS handshake and the client's first HTTP/2 bytes.
    package var handshakeMilliseconds: Int64 = 10_000
    /// Milliseconds that requests in flight get after the server was told to stop.
    package var drainMilliseconds: Int64 = 2_000
    /// Milliseconds that a peer gets to close after our last byte, so that it can read that byte.
    package var lingerMilliseconds: Int64 = 1_000
    /// How many bytes are read away from a peer that broke the protocol, so that it can still read why.
    package var lingerBytes = 64 << 20
    /// Milliseconds from a client's GOAWAY, or its last answer behind that, to the end of the connection.
    package var peerLeavingMilliseconds: Int64 = 250
    /// Seconds that a client gets its answers after it has closed its side; answers that are delayed longer are lost.
    package var halfClosedSeconds = 60
    /// Unsent bytes beyond which a connection is not read from.
    package var unsentBytes = 32 << 10
    /// Frames that wait to be sent beyond which a connection is not read from.
    package var queuedFrames = 2_000
    /// How many times a connection is read from before the others have their turn.
    package var readsPerTurn = 16
    /// How long the head of a CONNECT request may be.
    package var connectHeadBytes = 8 << 10
    /// How many broken connections a second each loop writes down; more are counted only.
    package var brokenPerSecond = 100

    /// The defaults.
    package init() {}
}
