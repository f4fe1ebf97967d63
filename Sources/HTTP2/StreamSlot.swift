import HTTP

/// What a session knows of one open stream.
struct StreamSlot {
    /// What has happened to a stream.
    struct State: OptionSet {
        let rawValue: UInt8
        /// The request was handed over.
        static let complete = State(rawValue: 1)
        /// An answer was submitted.
        static let answered = State(rawValue: 2)
        /// The delegate knows that the stream was rejected.
        static let rejected = State(rawValue: 4)
        static let resetByPeer = State(rawValue: 8)
        static let resetByUs = State(rawValue: 16)
    }

    var stream: Int32
    /// The request as far as it has come; empty after it was handed over.
    var request: HTTPRequest
    /// Names, values and 32 bytes a field, as RFC 9113 section 6.5.2 counts.
    var headerListSize = 0
    var state: State = []
    var body = OutgoingBody.none

    init(stream: Int32, request: consuming HTTPRequest) {
        self.stream = stream
        self.request = request
    }
}

extension HTTPRequest {
    /// A request with nothing in it and no memory of its own.
    static let empty = HTTPRequest(expectedBytes: 0, expectedFields: 0)
}
