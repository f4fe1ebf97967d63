import HTTP

/// What a session knows of one open stream.
struct StreamSlot: ~Copyable {
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
        /// When the answer's body has left, the stream is reset, since the request is malformed.
        static let endsInReset = State(rawValue: 32)
    }

    /// The stream; 0 when the slot is free.
    var stream: Int32 = 0
    var state: State = []
    /// The request as far as it has come.
    var request = HTTPRequestBuilder()
    /// The checks of the request as a message.
    var check = MessageCheck()
    /// The part of the answer that has not left.
    var body = OutgoingBody.none
    /// The next free slot, while this one is free.
    var nextFree: SlotReference?
}
