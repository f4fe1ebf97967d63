import CNghttp2
import HTTP

/// What nghttp2's callbacks do: requests are put together here.
extension HTTP2Session {
    /// A header block begins: a new request, or trailers, which nobody reads.
    func beginHeaders(stream: Int32, isRequest: Bool) -> Int32 {
        guard isRequest else {
            current = nil
            return 0
        }
        // GOAWAY is on its way and says that this stream is not processed (RFC 9113, section 6.8), so it must not be.
        guard stream <= lastPromisedStream else { return refuseQuietly(stream) }
        guard streams.count < Int(announcedStreams) else { return refuse(stream) }
        let (slot, isFound) = streams.open(stream)
        current = slot
        if !isFound { unsafe _ = nghttp2_session_set_stream_user_data(handle.pointer, stream, slot.pointer) }
        return 0
    }

    /// One field of the block.
    func header(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Int32 {
        guard let slot = current else { return 0 }
        let size = slot.value.request.headerListSize + name.count + value.count + 32
        guard size <= configuration.maxHeaderListSize else { return rejectHeaders(slot) }
        unsafe slot.value.request.append(name: name, value: value)
        return 0
    }

    /// A piece of a body.
    func body(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        guard let slot = slot(of: stream) else { return }
        unsafe slot.value.request.appendBody(bytes, limit: configuration.maxBodyBytes)
    }

    /// A whole frame has come.
    func frame(type: UInt8, flags: UInt8, stream: Int32) {
        switch type {
        case FrameType.data, FrameType.headers:
            if flags & FrameType.endStream != 0 { complete(stream) }
        case FrameType.resetStream:
            if let slot = slot(of: stream) { slot.value.state.insert(.resetByPeer) }
        case FrameType.ping:
            if flags & FrameType.acknowledgement != 0 { pingAcknowledged() }
        default:
            break
        }
    }

    /// END_STREAM: hands the request over.
    private func complete(_ stream: Int32) {
        guard let slot = slot(of: stream), !slot.value.state.contains(.complete) else { return }
        slot.value.state.insert(.complete)
        let request = slot.value.request.request()
        slot.value.request.reset()
        streams.passMemoryOn(from: slot)
        unsafe delegate.session(self, received: request, stream: stream)
    }

    /// nghttp2 found a frame that breaks a rule; here only those that cost their stream count.
    func invalidFrame(stream: Int32, libraryCode: Int32) {
        guard let slot = slot(of: stream) else { return }
        switch libraryCode {
        case NGHTTP2_ERR_HTTP_HEADER.rawValue:
            report(slot, .headers, .protocolError, lastComplaint)
        case NGHTTP2_ERR_HTTP_MESSAGING.rawValue:
            report(slot, .message, .protocolError, slot.value.request.request().flaw)
        default:
            break
        }
    }

    /// nghttp2 forgets a stream.
    func streamClosed(_ stream: Int32, code: UInt32) {
        guard let slot = slot(of: stream) else { return }
        // A body that contradicts its content-length is reset by nghttp2 without another word.
        if code == HTTP2ErrorCode.protocolError.rawValue,
            slot.value.state.isDisjoint(with: [.complete, .resetByPeer, .resetByUs])
        {
            report(slot, .message, .protocolError, slot.value.request.request().flaw)
        }
        streams.close(slot)
        // The slot is free now; its stream number 0 keeps `current` from being found.
        unsafe delegate.session(self, closedStream: stream, code: code)
    }

    /// Refuses a stream above the announced number; the connection goes on.
    private func refuse(_ stream: Int32) -> Int32 {
        let status = refuseQuietly(stream)
        let code = HTTP2ErrorCode.refusedStream
        let explanation =
            "Stream \(stream) was refused: \(streams.count) streams were open and MAX_CONCURRENT_STREAMS is "
            + "\(announcedStreams). The sender has to wait for answers before it opens more."
        unsafe delegate.session(
            self, rejectedStream: stream,
            because: StreamRejection(cause: .refused, code: code.rawValue, explanation: explanation))
        return status
    }

    /// Resets a stream that was not processed and may be sent again.
    private func refuseQuietly(_ stream: Int32) -> Int32 {
        current = nil
        unsafe _ = nghttp2_submit_rst_stream(
            handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, HTTP2ErrorCode.refusedStream.rawValue)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// Resets a stream whose header fields are too large; the rest of the block is decoded and dropped.
    private func rejectHeaders(_ slot: SlotReference) -> Int32 {
        let code = HTTP2ErrorCode.enhanceYourCalm
        unsafe _ = nghttp2_submit_rst_stream(
            handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), slot.value.stream, code.rawValue)
        let limit = configuration.maxHeaderListSize
        report(
            slot, .headersTooLarge, code,
            "The header fields have more than \(limit) bytes; the announced MAX_HEADER_LIST_SIZE is "
                + "\(configuration.announcedHeaderListSize).")
        slot.value.request.reset()
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// Tells the delegate once why a stream is reset.
    private func report(
        _ slot: SlotReference, _ cause: StreamRejection.Cause, _ code: HTTP2ErrorCode, _ explanation: String
    ) {
        guard !slot.value.state.contains(.rejected) else { return }
        slot.value.state.insert(.rejected)
        unsafe delegate.session(
            self, rejectedStream: slot.value.stream,
            because: StreamRejection(cause: cause, code: code.rawValue, explanation: explanation))
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
