import CNghttp2
import HTTP

/// What nghttp2's callbacks do: requests are put together here.
extension HTTP2Session {
    /// A header block begins: a new request, or trailers, which nobody reads.
    func beginHeaders(stream: Int32, isRequest: Bool) -> Int32 {
        isTrailer = !isRequest
        guard isRequest else {
            current = slot(of: stream)
            return 0
        }
        lastStream = stream
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
        let token = unsafe HeaderName(spelledAs: name)
        if let flaw = unsafe slot.value.check.field(token, spelling: name, value: value, isTrailer: isTrailer) {
            reject(slot, .headers, flaw)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        if !isTrailer { unsafe slot.value.request.append(token, name: name, value: value) }
        return 0
    }

    /// A piece of a body.
    func body(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        guard let slot = slot(of: stream), !slot.value.state.contains(.rejected) else { return }
        unsafe slot.value.request.appendBody(bytes, limit: configuration.maxBodyBytes)
        let count = slot.value.request.bodyBytesReceived
        if let flaw = slot.value.check.body(count, isComplete: false) { reject(slot, .message, flaw) }
    }

    /// A whole frame has come.
    func frame(type: UInt8, flags: UInt8, stream: Int32) {
        let endsStream = flags & FrameType.endStream != 0
        switch type {
        case FrameType.data:
            if endsStream { complete(stream) }
        case FrameType.headers:
            headersEnd(stream, endsStream: endsStream)
        case FrameType.resetStream:
            if let slot = slot(of: stream) { slot.value.state.insert(.resetByPeer) }
        case FrameType.ping:
            if flags & FrameType.acknowledgement != 0 { pingAcknowledged() }
        case FrameType.settings:
            if flags & FrameType.acknowledgement == 0 { settingsTaken() }
        default:
            break
        }
    }

    /// A header block is whole.
    private func headersEnd(_ stream: Int32, endsStream: Bool) {
        guard let slot = slot(of: stream) else { return }
        if isTrailer {
            if !endsStream {
                return reject(slot, .message, "A second header block does not end the stream, as trailers do.")
            }
        } else if let flaw = slot.value.check.head() {
            return reject(slot, .message, flaw)
        }
        if endsStream { complete(stream) }
    }

    /// END_STREAM: hands the request over.
    private func complete(_ stream: Int32) {
        guard let slot = slot(of: stream), slot.value.state.isDisjoint(with: [.complete, .rejected]) else { return }
        slot.value.state.insert(.complete)
        let count = slot.value.request.bodyBytesReceived
        if let flaw = slot.value.check.body(count, isComplete: true) { return reject(slot, .message, flaw) }
        let request = slot.value.request.request()
        slot.value.request.reset()
        streams.passMemoryOn(from: slot)
        guard let malformed = slot.value.check.malformed else {
            return unsafe delegate.session(self, received: request, stream: stream)
        }
        slot.value.state.insert(.endsInReset)
        if unsafe !delegate.session(self, receivedMalformed: request, stream: stream) {
            reject(
                slot, .headers, "The value of \(malformed.spelling) has CR, LF or NUL, or is none that HTTP/2 allows.")
        }
    }

    /// nghttp2 forgets a stream.
    func streamClosed(_ stream: Int32, code: UInt32) {
        guard let slot = slot(of: stream) else { return }
        let state = slot.value.state
        // Reset by nghttp2 for what came, without another word.
        if code != HTTP2ErrorCode.noError.rawValue,
            state.isDisjoint(with: [.complete, .resetByPeer, .resetByUs, .rejected])
        {
            let name = HTTP2ErrorCode.name(of: code)
            report(slot, .message, code, "A frame for it broke a rule of HTTP/2 (\(name)).")
        }
        closedStreams.add(stream, state.isDisjoint(with: [.complete, .resetByPeer]) ? .early : .afterPeer)
        streams.close(slot)
        // The slot is free now; its stream number 0 keeps `current` from being found.
        unsafe delegate.session(self, closedStream: stream, code: code)
    }

    /// Refuses a stream above the announced number; the connection goes on.
    private func refuse(_ stream: Int32) -> Int32 {
        closedStreams.add(stream, .early)
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
            slot, .headersTooLarge, code.rawValue,
            "The header fields have more than \(limit) bytes; the announced MAX_HEADER_LIST_SIZE is "
                + "\(configuration.announcedHeaderListSize).")
        slot.value.request.reset()
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    /// Resets a stream whose request is none.
    private func reject(_ slot: SlotReference, _ cause: StreamRejection.Cause, _ explanation: String) {
        let code = HTTP2ErrorCode.protocolError.rawValue
        unsafe _ = nghttp2_submit_rst_stream(
            handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), slot.value.stream, code)
        slot.value.request.reset()
        report(slot, cause, code, explanation)
    }

    /// Tells the delegate once why a stream is reset.
    private func report(_ slot: SlotReference, _ cause: StreamRejection.Cause, _ code: UInt32, _ explanation: String) {
        guard !slot.value.state.contains(.rejected) else { return }
        slot.value.state.insert(.rejected)
        unsafe delegate.session(
            self, rejectedStream: slot.value.stream,
            because: StreamRejection(cause: cause, code: code, explanation: explanation))
    }
}
