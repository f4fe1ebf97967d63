/// The streams of a connection that closed last: what comes for them is an error of the peer (RFC 9113, sections 5.1 and 5.1.1), or
/// was under way when the stream was reset.
struct ClosedStreams {
    /// How a stream closed.
    enum End {
        /// The peer had said its last: END_STREAM or RST_STREAM.
        case afterPeer
        /// It was reset here before that, so that more may be under way.
        case early
    }

    /// The numbers of the streams, in a ring; negative for those that were closed early.
    private var numbers: [Int32] = []
    private var next = 0

    /// Keeps a stream that has closed; beyond the limit the oldest is forgotten.
    mutating func add(_ stream: Int32, _ end: End) {
        let number = end == .early ? -stream : stream
        guard numbers.count == HTTP2Limits.closedStreams else {
            if numbers.isEmpty { numbers.reserveCapacity(HTTP2Limits.closedStreams) }
            return numbers.append(number)
        }
        numbers[next] = number
        next = next + 1 == HTTP2Limits.closedStreams ? 0 : next + 1
    }

    /// How a stream closed; nil when it is not among those that are kept.
    func end(of stream: Int32) -> End? {
        for number in numbers where abs(number) == stream { return number < 0 ? .early : .afterPeer }
        return nil
    }
}
