import CNghttp2
import HTTP

/// Frames that RFC 9113 calls errors of the connection and nghttp2 ignores, or calls by another name.
extension HTTP2Session {
    /// What is wrong about a frame, seen from its head; nil for nearly all.
    func breach(by head: FrameScanner.Head) -> (HTTP2ErrorCode, String)? {
        switch head.type {
        case FrameType.data:
            if isClosed(head.stream) { return (.streamClosed, "DATA for stream \(head.stream), which is closed") }
            return head.length == 0 && head.flags & FrameType.padded != 0 ? Self.tooShort : nil
        case FrameType.headers:
            let padding = head.flags & FrameType.padded != 0 ? 1 : 0
            let priority = head.flags & FrameType.priority != 0 ? FrameType.priorityBytes : 0
            return head.length < padding + priority ? Self.tooShort : nil
        case FrameType.goAway:
            if head.stream != 0 { return (.protocolError, "GOAWAY on stream \(head.stream)") }
            return head.length < FrameType.goAwayBytes ? Self.tooShort : nil
        default:
            return nil
        }
    }

    private static let tooShort = (HTTP2ErrorCode.frameSizeError, "a frame is too short for what it must have")

    /// A frame begins, whatever nghttp2 makes of it.
    func frameBegins(type: UInt8, stream: Int32) {
        switch type {
        case FrameType.headers: headersBegin(stream)
        case FrameType.settings: queuedBeforeSettings = queuedFrames
        default: break
        }
    }

    /// A header block begins: the number of a new stream must be higher than those before it (5.1.1).
    private func headersBegin(_ stream: Int32) {
        guard goAways.isEmpty else { return lateHeaders(stream: stream) }
        guard stream <= lastStream, stream & 1 == 1, slot(of: stream) == nil else { return }
        switch closedStreams.end(of: stream) {
        case .early: break
        case .afterPeer: breach(.streamClosed, "HEADERS for stream \(stream), which is closed")
        case nil: breach(.protocolError, "stream \(stream) is opened behind stream \(lastStream); numbers must grow")
        }
    }

    /// SETTINGS were taken. Where a window of a stream grows too large by them, nghttp2 resets the stream: it queues more than the
    /// acknowledgement. It is an error of the connection (6.9.2).
    func settingsTaken() {
        if queuedFrames > queuedBeforeSettings + 1 {
            breach(.flowControlError, "INITIAL_WINDOW_SIZE makes the window of a stream too large")
        }
    }

    /// Whether a stream has closed, and the peer knows (5.1).
    private func isClosed(_ stream: Int32) -> Bool {
        guard stream <= lastStream, stream & 1 == 1, slot(of: stream) == nil, goAways.isEmpty else { return false }
        return closedStreams.end(of: stream) == .afterPeer
    }

    /// Ends the connection for what the peer did.
    func breach(_ code: HTTP2ErrorCode, _ words: String) {
        lastComplaint = words
        unsafe _ = nghttp2_session_terminate_session(handle.pointer, code.rawValue)
    }
}
