/// The fixed numbers of the server's HTTP/2, each with its reason.
enum HTTP2Limits {
    /// HEADER_TABLE_SIZE, INITIAL_WINDOW_SIZE and MAX_FRAME_SIZE as APNs sends them; the defaults of RFC 9113.
    static let headerTableSize: UInt32 = 4096
    static let initialWindowSize: UInt32 = 65535
    static let maxFrameSize: UInt32 = 16384

    /// The window of the connection: thousands of full payloads may be under way before the peer has to wait.
    static let connectionWindow: Int32 = 16 << 20

    /// What nghttp2 takes for MAX_CONCURRENT_STREAMS. It ends the connection when a peer goes over the number after
    /// having acknowledged it, and APNs only refuses the stream; so the number announced is enforced by the session.
    static let streamsKnownToLibrary = UInt32(Int32.max)

    /// Resets a peer may send at once, and in a second from then on, before GOAWAY. nghttp2's own numbers (1000 and
    /// 33) are too low here: libcurl 7.88 resets most streams after their complete answers.
    static let resetBurst: UInt64 = 1_000_000
    static let resetsPerSecond: UInt64 = 100_000

    /// Small breaches (frames for streams that have gone) newer nghttp2 tolerates, at once and in a second.
    static let glitchBurst: UInt64 = 1_000_000
    static let glitchesPerSecond: UInt64 = 100_000

    /// Streams that are remembered after they closed, so that frames for them are answered as RFC 9113 demands.
    static let closedStreams = 100
    /// Entries of one SETTINGS frame.
    static let maxSettings = 32
    /// Acknowledgements of PING and SETTINGS that may wait for a peer that does not read.
    static let maxOutboundAcknowledgements = 1000
    /// CONTINUATION frames after one HEADERS.
    static let maxContinuations = 32

    /// The length of the client's connection preface.
    static let prefaceBytes = 24
}
