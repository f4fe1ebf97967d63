import CNghttp2

extension HTTP2Session {
    /// Tables that the sessions of one loop share: nghttp2's callbacks and options.
    ///
    /// Confined to the loop's thread.
    @safe
    package final class Callbacks {
        let callbacks: OpaquePointer
        let options: OpaquePointer

        /// Tables with this server's limits.
        package convenience init() {
            self.init(resetBurst: HTTP2Limits.resetBurst, resetsPerSecond: HTTP2Limits.resetsPerSecond)
        }

        /// Tables with other limits for RST_STREAM frames of a peer.
        package init(resetBurst: UInt64, resetsPerSecond: UInt64) {
            var callbacks: OpaquePointer?
            var options: OpaquePointer?
            // Both fail only when memory is exhausted.
            precondition(unsafe nghttp2_session_callbacks_new(&callbacks) == 0, "no memory for HTTP/2 callbacks")
            precondition(unsafe nghttp2_option_new(&options) == 0, "no memory for HTTP/2 options")
            unsafe self.callbacks = callbacks.unsafelyUnwrapped
            unsafe self.options = options.unsafelyUnwrapped
            setCallbacks()
            setOptions(resetBurst, resetsPerSecond)
        }

        deinit {
            unsafe nghttp2_session_callbacks_del(callbacks)
            unsafe nghttp2_option_del(options)
        }

        private func setCallbacks() {
            unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, onBeginFrame)
            unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
            unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
            unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
            unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
            unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
            unsafe nghttp2_session_callbacks_set_error_callback2(callbacks, onComplaint)
        }

        private func setOptions(_ resetBurst: UInt64, _ resetsPerSecond: UInt64) {
            // Nothing here reads the priority of streams that have gone.
            unsafe nghttp2_option_set_no_closed_streams(options, 1)
            // `MessageCheck` makes these checks, and leaves to the rules of APNs what APNs judges.
            unsafe nghttp2_option_set_no_http_messaging(options, 1)
            unsafe nghttp2_option_set_max_settings(options, HTTP2Limits.maxSettings)
            unsafe nghttp2_option_set_max_outbound_ack(options, HTTP2Limits.maxOutboundAcknowledgements)
            unsafe nghttp2_option_set_max_continuations(options, HTTP2Limits.maxContinuations)
            unsafe nghttp2_option_set_stream_reset_rate_limit(options, resetBurst, resetsPerSecond)
            unsafe cnghttp2_option_set_glitch_rate_limit(
                options, HTTP2Limits.glitchBurst, HTTP2Limits.glitchesPerSecond)
        }
    }
}

@available(*, unavailable)
extension HTTP2Session.Callbacks: Sendable {}

// Each callback finds its session and calls one method. The session outlives the call: it is what called nghttp2.

private func session(_ user: UnsafeMutableRawPointer?) -> Unmanaged<HTTP2Session>? {
    unsafe user.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0) }
}

private let done: Int32 = 0

// nghttp2 says nothing more of streams that it ignores.
private func onBeginFrame(
    _: OpaquePointer?, header: UnsafePointer<nghttp2_frame_hd>?, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let header = unsafe header, let session = unsafe session(user) else { return done }
    unsafe session._withUnsafeGuaranteedRef {
        unsafe $0.frameBegins(type: header.pointee.type, stream: header.pointee.stream_id)
    }
    return done
}

private func onBeginHeaders(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(user), let frame = unsafe frame else { return done }
    return unsafe session._withUnsafeGuaranteedRef {
        unsafe $0.beginHeaders(
            stream: frame.pointee.hd.stream_id, isRequest: frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST)
    }
}

private func onHeader(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, name: UnsafePointer<UInt8>?, nameCount: Int,
    value: UnsafePointer<UInt8>?, valueCount: Int, _: UInt8, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(user) else { return done }
    return unsafe session._withUnsafeGuaranteedRef {
        unsafe $0.header(
            name: UnsafeRawBufferPointer(start: name, count: nameCount),
            value: UnsafeRawBufferPointer(start: value, count: valueCount))
    }
}

private func onData(
    _: OpaquePointer?, _: UInt8, stream: Int32, data: UnsafePointer<UInt8>?, count: Int,
    user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(user) else { return done }
    unsafe session._withUnsafeGuaranteedRef {
        unsafe $0.body(UnsafeRawBufferPointer(start: data, count: count), stream: stream)
    }
    return done
}

private func onFrame(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(user), let frame = unsafe frame else { return done }
    let header = unsafe frame.pointee.hd
    unsafe session._withUnsafeGuaranteedRef {
        $0.frame(type: header.type, flags: header.flags, stream: header.stream_id)
    }
    return done
}

private func onStreamClose(
    _: OpaquePointer?, stream: Int32, code: UInt32, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(user) else { return done }
    unsafe session._withUnsafeGuaranteedRef { $0.streamClosed(stream, code: code) }
    return done
}

private func onComplaint(
    _: OpaquePointer?, _: Int32, text: UnsafePointer<CChar>?, count: Int, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session(user), let text = unsafe text else { return done }
    let words = unsafe String(
        decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    unsafe session._withUnsafeGuaranteedRef { $0.lastComplaint = words }
    return done
}
