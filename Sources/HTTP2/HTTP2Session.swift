import CNghttp2
import HTTP

/// The server's side of one HTTP/2 connection: bytes in, requests out; responses in, bytes out. It knows no socket.
///
/// nghttp2 does framing, HPACK and flow control; this class keeps the requests that are still arriving and the bodies that are
/// still leaving, and checks messages (``MessageCheck``) and what nghttp2 lets pass. Confined to one thread.
package final class HTTP2Session {
    let handle: SessionHandle
    let configuration: Configuration
    unowned(unsafe) let delegate: any Delegate

    /// The open streams; nghttp2 knows the slot of each.
    let streams = StreamTable()
    /// The slot of the stream whose header block came last; header blocks never interleave.
    var current: SlotReference?
    /// Whether that header block holds trailers.
    var isTrailer = false
    /// The highest stream that the peer has opened.
    var lastStream: Int32 = 0
    /// The streams that closed last.
    var closedStreams = ClosedStreams()
    /// Where the frames of the input lie.
    private var scanner = FrameScanner()
    /// How many frames waited to be sent when SETTINGS came.
    var queuedBeforeSettings = 0
    /// Whether the peer has sent GOAWAY.
    package internal(set) var isPeerLeaving = false
    /// MAX_CONCURRENT_STREAMS as the peer was told; enforced here, see ``HTTP2Limits/streamsKnownToLibrary``.
    var announcedStreams: UInt32
    /// The names of ids that the peer's dynamic table has, one bit each.
    var indexedNames: UInt32 = 0
    /// The first bytes of the connection, kept to explain a peer that speaks something else.
    var firstBytes: [UInt8] = []
    /// nghttp2's words for the last thing it did not like.
    var lastComplaint = ""
    /// The codes of the GOAWAY frames that the owner asked for; others are nghttp2's own.
    var ownGoAwayCodes: [UInt32] = []
    /// Whether nghttp2's answers to PING frames are thrown away.
    package var ignoresPings = false
    /// Whole frames that nghttp2 would not send.
    var ownFrames: [UInt8] = []
    /// What our PING frames that the peer has not acknowledged ask, in the order of sending.
    var questions: [Question] = []
    /// Whether the peer was asked if it knows the GOAWAY, and whether it has said so.
    var isGoAwayAsked = false
    var isGoAwayKnown = false
    /// The highest stream that the peer opened after GOAWAY had left.
    var lastLateStream: Int32 = 0
    /// The last stream that a GOAWAY of ours names, from the moment when it is queued; streams above it are never handed over.
    var lastPromisedStream = Int32.max
    /// Whether the delegate was told of such a stream.
    var isLateStreamTold = false
    /// The debug data of the final GOAWAY, while a graceful end waits for the peer's PING acknowledgement.
    var shutdownDebugData: [UInt8]?

    /// The GOAWAY frames that were sent, our own and nghttp2's.
    package internal(set) var goAways: [GoAway] = []

    /// Why the connection cannot go on; set when nghttp2 sends GOAWAY because of what the peer did, or fails.
    ///
    /// Look at it after ``fill(_:limit:)``: once the pending output has been written the connection should be closed.
    package internal(set) var failure: HTTP2Error?

    /// A new session; its SETTINGS are the first output. `delegate` is not retained and must outlive the session.
    package init(callbacks: Callbacks, configuration: Configuration, delegate: any Delegate) throws(HTTP2Error) {
        self.configuration = configuration
        unsafe self.delegate = delegate
        announcedStreams = configuration.maxConcurrentStreams
        var session: OpaquePointer?
        let status = unsafe nghttp2_session_server_new2(&session, callbacks.callbacks, nil, callbacks.options)
        guard status == 0, let session = unsafe session else { throw HTTP2Error(library: status, doing: "new session") }
        handle = unsafe SessionHandle(session)
        unsafe nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        try sendFirstSettings()
    }

    /// Takes bytes of the peer and calls the delegate for what they complete.
    ///
    /// An error means that no more can be read: send the pending output and close. When the peer breaks the protocol
    /// in a way that GOAWAY can tell, this returns as usual, further bytes are ignored, and ``failure`` is set by the
    /// next ``fill(_:limit:)``.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2Error) {
        guard unsafe !bytes.isEmpty else { return }
        if firstBytes.count < HTTP2Limits.prefaceBytes {
            unsafe firstBytes.append(contentsOf: bytes.prefix(HTTP2Limits.prefaceBytes - firstBytes.count))
        }
        // Heads are handed to nghttp2 whole, so one that began in earlier bytes has not been.
        var (position, fed, isCut) = (0, 0, scanner.begun > 0)
        while let head = unsafe scanner.next(in: bytes, &position) {
            let start = isCut ? 0 : position - FrameType.headerBytes
            if let (code, words) = breach(by: head) {
                try unsafe feed(bytes[fed..<start])
                return breach(code, words)
            }
            if head.type == FrameType.ping { unsafe answerPing(head, bytes[position...]) }
            if head.type == FrameType.goAway { isPeerLeaving = true }
            if isCut || head.type == FrameType.goAway {
                try unsafe feed(bytes[fed..<start])
                // What nghttp2 does not know it passes over; behind GOAWAY it would read no more.
                let type = head.type == FrameType.goAway ? FrameType.unknown : head.type
                try unsafe check(head.bytes(type: type).withUnsafeBytes { unsafe take($0) })
                fed = position
            }
            isCut = false
            // What comes behind a reset meets a stream that is closed.
            if head.type == FrameType.resetStream {
                let end = min(position + head.length, bytes.count)
                try unsafe feed(bytes[fed..<end])
                fed = end
            }
        }
        if !isCut { try unsafe feed(bytes[fed..<(bytes.count - scanner.begun)]) }
    }

    /// Hands bytes to nghttp2.
    private func feed(_ bytes: Slice<UnsafeRawBufferPointer>) throws(HTTP2Error) {
        try check(unsafe take(UnsafeRawBufferPointer(rebasing: bytes)))
    }

    /// What nghttp2 says to bytes; negative when it can go no further.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return 0 }
        return unsafe nghttp2_session_mem_recv(
            handle.pointer, start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    private func check(_ taken: Int) throws(HTTP2Error) {
        guard taken < 0 else { return }
        let error = receiveError(Int32(truncatingIfNeeded: taken))
        failure = failure ?? error
        throw error
    }

    /// Copies pending output to the end of `buffer` until it holds `limit` bytes (a frame may go over) or nothing is left.
    package func fill(_ buffer: inout [UInt8], limit: Int) throws(HTTP2Error) {
        if !ownFrames.isEmpty {
            buffer.append(contentsOf: ownFrames)
            ownFrames.removeAll()
        }
        while buffer.count < limit {
            var start: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(handle.pointer, &start)
            guard count > 0, let start = unsafe start else {
                if count == 0 { return }
                let error = HTTP2Error(library: Int32(truncatingIfNeeded: count), doing: "making output")
                failure = failure ?? error
                throw error
            }
            let frameStart = buffer.count
            unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
            // Each run that nghttp2 hands out is one frame; its type is the fourth byte.
            if count >= FrameType.headerBytes {
                let type = unsafe start[3]
                if type == FrameType.settings || type == FrameType.goAway {
                    inspectOutput(&buffer, frameAt: frameStart)
                } else if ignoresPings, type == FrameType.ping {
                    buffer.removeSubrange(frameStart...)
                }
            }
        }
    }

    /// Resets a stream; ignored when the stream has gone.
    package func reset(stream: Int32, code: UInt32) {
        guard let slot = slot(of: stream) else { return }
        slot.value.state.insert(.resetByUs)
        unsafe _ = nghttp2_submit_rst_stream(handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code)
    }

    /// Sends SETTINGS with a new MAX_CONCURRENT_STREAMS before everything else that is pending; it counts at once.
    package func announce(maxConcurrentStreams: UInt32) {
        guard maxConcurrentStreams != announcedStreams else { return }
        announcedStreams = maxConcurrentStreams
        submitSettings([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, HTTP2Limits.streamsKnownToLibrary)])
    }

    /// Whether the session expects more input; when it neither expects input nor has output the connection can be closed.
    package var wantsRead: Bool { unsafe nghttp2_session_want_read(handle.pointer) != 0 }
    /// Whether the session has output.
    package var wantsWrite: Bool { unsafe nghttp2_session_want_write(handle.pointer) != 0 }
    /// How many streams are open.
    package var openStreams: Int { streams.count }
    /// No more input comes: requests that are not whole will never be, and their streams are reset.
    package func endOfInput() {
        for stream in streams.unfinished { reset(stream: stream, code: HTTP2ErrorCode.cancel.rawValue) }
    }

    /// How many streams the peer has opened so far; those that were refused at once are not counted.
    package var openedStreams: Int { streams.opened }
    /// The streams that have an answer which has not wholly left.
    package var unfinishedAnswers: Set<Int32> { streams.answered }
    /// How many frames wait in nghttp2's queues; an owner stops reading while a peer lets this grow.
    package var queuedFrames: Int { unsafe nghttp2_session_get_outbound_queue_size(handle.pointer) }

    /// The slot of a stream that is open.
    func slot(of stream: Int32) -> SlotReference? {
        // A free slot has the number 0.
        guard stream != 0 else { return nil }
        if let current, current.value.stream == stream { return current }
        if let slot = streams.recentSlot(of: stream) { return slot }
        guard let data = unsafe nghttp2_session_get_stream_user_data(handle.pointer, stream) else { return nil }
        let slot = unsafe SlotReference(data)
        // While nghttp2 closes a stream it still knows the slot, which is free by then.
        return slot.value.stream == stream ? slot : nil
    }
}

@available(*, unavailable)
extension HTTP2Session: Sendable {}
