import CNghttp2

/// Streams that a peer opens though it knows our GOAWAY. nghttp2 ignores every stream that is opened after GOAWAY was sent, and
/// rightly so: most are under way when GOAWAY leaves. Of those behind a PING that was sent after GOAWAY and that the peer has
/// acknowledged this cannot be so: frames arrive in order.
extension HTTP2Session {
    /// What a PING of ours asks.
    enum Question {
        /// Whether the peer knows the first GOAWAY of a graceful end, so that the last may follow.
        case shutdown
        /// Whether the peer knows our GOAWAY.
        case goAway
        /// Nothing: the peer cannot answer, but its machine tells when nobody is there.
        case presence
    }

    /// Asks the peer by PING whether it knows the GOAWAY that was sent; false when that was asked already, or is of no use since
    /// nothing keeps the connection: no open stream, and no owner (`isKept`). To be called when GOAWAY has left: nghttp2 lets a PING overtake it.
    package func asksWhetherGoAwayIsKnown(isKept: Bool = false) -> Bool {
        guard !isGoAwayAsked, !goAways.isEmpty, isKept || openStreams > 0, failure == nil else { return false }
        isGoAwayAsked = true
        ask(.goAway)
        return true
    }

    /// Sends a PING to a peer that has closed its side.
    package func ping() {
        ask(.presence)
    }

    /// Sends a PING.
    func ask(_ question: Question) {
        questions.append(question)
        unsafe _ = nghttp2_submit_ping(handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Answers a PING that nghttp2 does not read: it holds the connection to be over once GOAWAY was sent and no stream is open,
    /// and one that lingers is not.
    func answerPing(_ head: FrameScanner.Head, _ payload: Slice<UnsafeRawBufferPointer>) {
        guard !wantsRead, !ignoresPings, head.flags & FrameType.acknowledgement == 0,
            head.length == FrameType.pingBytes, unsafe payload.count >= FrameType.pingBytes
        else { return }
        ownFrames += [0, 0, UInt8(FrameType.pingBytes), FrameType.ping, FrameType.acknowledgement, 0, 0, 0, 0]
        unsafe ownFrames.append(contentsOf: payload.prefix(FrameType.pingBytes))
    }

    /// The peer acknowledged a PING.
    func pingAcknowledged() {
        guard !questions.isEmpty else { return }
        switch questions.removeFirst() {
        case .shutdown: finishShutdown()
        case .goAway: isGoAwayKnown = true
        case .presence: break
        }
    }

    /// The peer begins a header block after GOAWAY was sent.
    func lateHeaders(stream: Int32) {
        guard stream > lastLateStream, stream > nghttp2LastStream, let goAway = goAways.last else { return }
        lastLateStream = stream
        guard isGoAwayKnown, !isLateStreamTold else { return }
        isLateStreamTold = true
        unsafe delegate.session(self, ignoredStream: stream, after: goAway)
    }

    /// The last stream that nghttp2 took; trailers of earlier ones are no new streams.
    private var nghttp2LastStream: Int32 {
        unsafe nghttp2_session_get_last_proc_stream_id(handle.pointer)
    }
}
