import CNghttp2
import HTTP

/// What nghttp2's callbacks do: requests are put together here.
extension HTTP2Session {
    /// A header block begins: a new request, or trailers, which nobody reads.
    func beginHeaders(stream: Int32, isRequest: Bool) -> Int32 {
        guard isRequest else {
            current = HTTP2Session.noStream
            return 0
        }
        guard streams.count < Int(announcedStreams) else { return refuse(stream) }
        let request = HTTPRequest(expectedBytes: tables.expectedBytes, expectedFields: tables.expectedFields)
        let index = streams.open(stream, request: request)
        current = (stream, index)
        unsafe _ = nghttp2_session_set_stream_user_data(
            handle.pointer, stream, UnsafeMutableRawPointer(bitPattern: index + 1))
        return 0
    }

    /// One field of the block.
    func header(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Int32 {
        let index = current.index
        guard index != StreamTable.none else { return 0 }
        let size = streams[index].headerListSize + name.count + value.count + 32
        guard size <= configuration.maxHeaderListSize else { return rejectHeaders(index) }
        streams[index].headerListSize = size
        unsafe streams[index].request.append(HeaderName(spelledAs: name), name: name, value: value)
        return 0
    }

    /// A piece of a body.
    func body(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        guard let index = slotIndex(of: stream) else { return }
        let room = configuration.maxBodyBytes - streams[index].request.bodyRange.count
        if bytes.count <= room {
            unsafe streams[index].request.appendBody(bytes)
        } else {
            unsafe streams[index].request.appendBody(UnsafeRawBufferPointer(rebasing: bytes.prefix(max(room, 0))))
            streams[index].request.droppedBodyBytes += bytes.count - max(room, 0)
        }
    }

    /// A whole frame has come.
    func frame(type: UInt8, flags: UInt8, stream: Int32) {
        switch type {
        case FrameType.data, FrameType.headers:
            if flags & FrameType.endStream != 0 { complete(stream) }
        case FrameType.resetStream:
            if let index = slotIndex(of: stream) { streams[index].state.insert(.resetByPeer) }
        case FrameType.ping:
            if flags & FrameType.acknowledgement != 0 { finishShutdown() }
        default:
            break
        }
    }

    /// END_STREAM: hands the request over.
    private func complete(_ stream: Int32) {
        guard let index = slotIndex(of: stream), !streams[index].state.contains(.complete) else { return }
        streams[index].state.insert(.complete)
        let request = exchange(&streams[index].request, with: .empty)
        tables.learn(bytes: request.storage.count, fields: request.fields.count)
        delegate.session(self, received: request, stream: stream)
    }

    /// nghttp2 found a frame that breaks a rule; here only those that cost their stream count.
    func invalidFrame(stream: Int32, libraryCode: Int32) {
        guard let index = slotIndex(of: stream) else { return }
        switch libraryCode {
        case NGHTTP2_ERR_HTTP_HEADER.rawValue:
            report(index, .headers, .protocolError, lastComplaint)
        case NGHTTP2_ERR_HTTP_MESSAGING.rawValue:
            report(index, .message, .protocolError, streams[index].request.flaw)
        default:
            break
        }
    }

    /// nghttp2 forgets a stream.
    func streamClosed(_ stream: Int32, code: UInt32) {
        guard let index = slotIndex(of: stream) else { return }
        // A body that contradicts its content-length is reset by nghttp2 without another word.
        if code == HTTP2ErrorCode.protocolError.rawValue,
            streams[index].state.isDisjoint(with: [.complete, .resetByPeer, .resetByUs])
        {
            report(index, .message, .protocolError, streams[index].request.flaw)
        }
        streams.close(index)
        if current.stream == stream { current = HTTP2Session.noStream }
        delegate.session(self, closedStream: stream, code: code)
    }

    /// Refuses a stream above the announced number; the connection goes on.
    private func refuse(_ stream: Int32) -> Int32 {
        current = HTTP2Session.noStream
        let code = HTTP2ErrorCode.refusedStream
        unsafe _ = nghttp2_submit_rst_stream(
            handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
        let explanation =
            "Stream \(stream) was refused: \(streams.count) streams were open and MAX_CONCURRENT_STREAMS is "
            + "\(announcedStreams). The sender has to wait for answers before it opens more."
        delegate.session(
            self, rejectedStream: stream,
            because: StreamRejection(cause: .refused, code: code.rawValue, explanation: explanation))
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// Resets a stream whose header fields are too large; the rest of the block is decoded and dropped.
    private func rejectHeaders(_ index: Int) -> Int32 {
        let code = HTTP2ErrorCode.enhanceYourCalm
        unsafe _ = nghttp2_submit_rst_stream(
            handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), streams[index].stream, code.rawValue)
        let limit = configuration.maxHeaderListSize
        report(
            index, .headersTooLarge, code,
            "The header fields have more than \(limit) bytes; the announced MAX_HEADER_LIST_SIZE is "
                + "\(configuration.announcedHeaderListSize).")
        streams[index].request = .empty
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// Tells the delegate once why a stream is reset.
    private func report(
        _ index: Int, _ cause: StreamRejection.Cause, _ code: HTTP2ErrorCode, _ explanation: String
    ) {
        guard !streams[index].state.contains(.rejected) else { return }
        streams[index].state.insert(.rejected)
        delegate.session(
            self, rejectedStream: streams[index].stream,
            because: StreamRejection(cause: cause, code: code.rawValue, explanation: explanation))
    }
}

extension HTTP2Session.Callbacks {
    /// Remembers what a request needed, so that the next one reserves about as much; larger ones are forgotten slowly.
    func learn(bytes: Int, fields: Int) {
        guard bytes <= HTTP2Limits.largestLearntRequest else { return }
        expectedBytes = max(bytes, expectedBytes - expectedBytes >> 4)
        expectedFields = max(fields, expectedFields - expectedFields >> 4)
    }
}

extension HTTPRequest {
    /// What keeps these fields and this body from being a request, in words.
    fileprivate var flaw: String {
        let required: [HeaderName] = [.method, .scheme, .path]
        let missing = required.filter { valueRange($0) == nil }.map { "\($0.spelling)" }
        if !missing.isEmpty { return "The request has no \(missing.joined(separator: ", "))." }
        if valueRange(.authority) == nil && valueRange(.host) == nil {
            return "The request has neither :authority nor host."
        }
        if let length = text(.contentLength) {
            return "The body does not have the \(length) bytes that content-length promises."
        }
        return "The :path \(text(.path) ?? "") does not begin with a slash."
    }
}
