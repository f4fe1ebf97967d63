extension HTTP2Session {
    /// The numbers of a session.
    package struct Configuration: Sendable {
        /// MAX_CONCURRENT_STREAMS at the start; a stream above it is refused.
        package var maxConcurrentStreams: UInt32 = 1000
        /// MAX_HEADER_LIST_SIZE as the peer is told: Apple's number.
        package var announcedHeaderListSize: UInt32 = 8000
        /// What a header list may have in fact (names, values and 32 bytes a field) before its stream is reset.
        package var maxHeaderListSize = 16 << 10
        /// What a body may have before the rest is dropped (the request is still handed over, cut).
        package var maxBodyBytes = 64 << 10
        package init() {}
    }
}
