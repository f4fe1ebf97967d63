import CNghttp2
import HTTP

/// What concerns the connection as a whole: SETTINGS, GOAWAY, failures.
extension HTTP2Session {
    /// Queues the first SETTINGS and widens the window of the connection.
    func sendFirstSettings() throws(HTTP2Error) {
        submitSettings([
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, HTTP2Limits.headerTableSize),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, HTTP2Limits.streamsKnownToLibrary),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, HTTP2Limits.initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, HTTP2Limits.maxFrameSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, configuration.announcedHeaderListSize),
        ])
        let status = unsafe nghttp2_session_set_local_window_size(
            handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, HTTP2Limits.connectionWindow)
        guard status == 0 else { throw HTTP2Error(library: status, doing: "widening the window") }
    }

    /// Queues a SETTINGS frame.
    func submitSettings(_ settings: [(nghttp2_settings_id, UInt32)]) {
        let entries = settings.map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        unsafe entries.withUnsafeBufferPointer {
            unsafe _ = nghttp2_submit_settings(
                handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), $0.baseAddress, $0.count)
        }
    }

    /// Sends GOAWAY; `lastStream` nil names the last one processed. Streams up to it are still answered.
    package func goAway(code: UInt32, lastStream: Int32?, debugData: [UInt8]) {
        shutdownDebugData = nil
        let last = unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(handle.pointer)
        lastPromisedStream = min(lastPromisedStream, last)
        unsafe debugData.withUnsafeBufferPointer {
            unsafe _ = nghttp2_submit_goaway(
                handle.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code, $0.baseAddress, $0.count)
        }
        ownGoAwayCodes.append(code)
    }

    /// Ends gracefully in two steps: GOAWAY with the highest stream id and a PING, and when the peer has acknowledged
    /// that, so that no request is under way any more, the final GOAWAY. An owner that cannot wait calls
    /// ``goAway(code:lastStream:debugData:)`` itself.
    package func beginShutdown(debugData: [UInt8]) {
        guard shutdownDebugData == nil else { return }
        shutdownDebugData = debugData
        unsafe _ = nghttp2_submit_shutdown_notice(handle.pointer)
        ask(.shutdown)
    }

    /// Ends at once: GOAWAY with this code, after which the session neither reads nor writes.
    package func terminate(code: UInt32) {
        unsafe _ = nghttp2_session_terminate_session(handle.pointer, code)
        ownGoAwayCodes.append(code)
    }

    /// The peer acknowledged the PING of a graceful end.
    func finishShutdown() {
        guard let debugData = shutdownDebugData else { return }
        goAway(code: HTTP2ErrorCode.noError.rawValue, lastStream: nil, debugData: debugData)
    }

    /// Looks at an outgoing frame: puts the announced MAX_CONCURRENT_STREAMS into SETTINGS (nghttp2 knows another, see
    /// ``HTTP2Limits/streamsKnownToLibrary``) and learns from nghttp2's own GOAWAY why the connection ends.
    func inspectOutput(_ buffer: inout [UInt8], frameAt start: Int) {
        let payload = start + FrameType.headerBytes
        if buffer[start + 3] == FrameType.settings {
            for entry in stride(from: payload, to: buffer.count - 5, by: 6)
            where buffer[entry] == 0 && buffer[entry + 1] == UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue) {
                for byte in 0..<4 {
                    buffer[entry + 2 + byte] = UInt8(truncatingIfNeeded: announcedStreams >> UInt32(24 - 8 * byte))
                }
            }
        } else if let goAway = GoAway(payload: buffer[payload...]) {
            goAways.append(goAway)
            let code = goAway.code
            guard failure == nil, code != HTTP2ErrorCode.noError.rawValue, !ownGoAwayCodes.contains(code) else {
                return
            }
            let reason = String(decoding: goAway.debugData, as: UTF8.self)
            let words = reason.isEmpty ? lastComplaint : reason
            failure = HTTP2Error(
                code: Int32(truncatingIfNeeded: code),
                description: goAway.codeName + (words.isEmpty ? "" : ": " + words))
        }
    }

    /// Why nghttp2 could take no more input.
    func receiveError(_ status: Int32) -> HTTP2Error {
        guard status == NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue else {
            return HTTP2Error(library: status, doing: "reading", detail: lastComplaint)
        }
        let seen = String(decoding: firstBytes.map { (32...126).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
        let isHTTP1 = firstBytes.contains(UInt8(ascii: "/")) && firstBytes.first.map { (65...90).contains($0) } == true
        // In the protocol that APNs had until 2021 a command 0, 1 or 2 has a device token of 32 bytes at its place.
        let tokenPlaces: [UInt8: Int] = [0: 1, 1: 9, 2: 6]
        let isLegacy =
            firstBytes.first.flatMap { tokenPlaces[$0] }.map { Array(firstBytes.dropFirst($0).prefix(2)) == [0, 32] }
            == true
        let advice =
            isLegacy
            ? "The peer seems to speak the legacy binary protocol, which APNs ended in 2021; APNs speaks HTTP/2 only."
            : isHTTP1
                ? "The peer seems to speak HTTP/1.1; APNs speaks HTTP/2 only."
                : "The peer does not speak HTTP/2."
        return HTTP2Error(
            code: status,
            description: "The connection does not begin with the HTTP/2 preface but with \"\(seen)\". \(advice)")
    }
}

extension HTTP2Error {
    /// An error of nghttp2 in its own words.
    init(library status: Int32, doing what: String, detail: String = "") {
        let words = unsafe nghttp2_strerror(status).map { unsafe String(cString: $0) } ?? "error \(status)"
        self.init(code: status, description: "HTTP/2, \(what): \(words)" + (detail.isEmpty ? "" : " (\(detail))"))
    }
}
