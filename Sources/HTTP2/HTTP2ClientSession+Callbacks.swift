import CNghttp2
import HTTP

/// nghttp2's tables for a client; made for each, since clients are few.
@safe
final class ClientCallbacks {
    let callbacks: OpaquePointer
    let options: OpaquePointer

    init() {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        // Both fail only when memory is exhausted.
        precondition(unsafe nghttp2_session_callbacks_new(&callbacks) == 0, "no memory for HTTP/2 callbacks")
        precondition(unsafe nghttp2_option_new(&options) == 0, "no memory for HTTP/2 options")
        unsafe self.callbacks = callbacks.unsafelyUnwrapped
        unsafe self.options = options.unsafelyUnwrapped
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(self.callbacks, clientBeginHeaders)
        unsafe nghttp2_session_callbacks_set_on_header_callback(self.callbacks, clientHeader)
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(self.callbacks, clientData)
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(self.callbacks, clientFrame)
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(self.callbacks, clientStreamClose)
        unsafe nghttp2_session_callbacks_set_error_callback2(self.callbacks, clientComplaint)
        // As many requests as the caller likes may leave before the server has named its limit.
        unsafe nghttp2_option_set_peer_max_concurrent_streams(self.options, UInt32(Int32.max))
    }

    deinit {
        unsafe nghttp2_session_callbacks_del(callbacks)
        unsafe nghttp2_option_del(options)
    }
}

private let done: Int32 = 0

private func client(_ user: UnsafeMutableRawPointer?) -> HTTP2ClientSession? {
    unsafe user.map { unsafe Unmanaged<HTTP2ClientSession>.fromOpaque($0).takeUnretainedValue() }
}

private func text(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
}

private func clientBeginHeaders(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let client = unsafe client(user), let frame = unsafe frame else { return done }
    let stream = unsafe frame.pointee.hd.stream_id
    if client.partial[stream] == nil {
        client.partial[stream] = HTTP2ClientSession.Response(
            status: 0, fields: [], body: [], endedOnHeaders: false, dataFrames: 0)
    }
    return done
}

private func clientHeader(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, name: UnsafePointer<UInt8>?, nameCount: Int,
    value: UnsafePointer<UInt8>?, valueCount: Int, _: UInt8, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let client = unsafe client(user), let frame = unsafe frame else { return done }
    let stream = unsafe frame.pointee.hd.stream_id
    let name = unsafe text(name, nameCount)
    let value = unsafe text(value, valueCount)
    if name == ":status" {
        client.partial[stream]?.status = Int(value) ?? 0
    } else {
        client.partial[stream]?.fields.append((name, value))
    }
    return done
}

private func clientData(
    _: OpaquePointer?, _: UInt8, stream: Int32, data: UnsafePointer<UInt8>?, count: Int,
    user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let client = unsafe client(user) else { return done }
    unsafe client.partial[stream]?.body.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
    return done
}

private func clientFrame(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let client = unsafe client(user), let frame = unsafe frame else { return done }
    let header = unsafe frame.pointee.hd
    let isAcknowledgement = header.flags & FrameType.acknowledgement != 0
    switch header.type {
    case FrameType.data:
        client.partial[header.stream_id]?.dataFrames += 1
    case FrameType.headers:
        client.partial[header.stream_id]?.endedOnHeaders = header.flags & FrameType.endStream != 0
    case FrameType.settings where isAcknowledgement:
        client.events.append(.settingsAcknowledged)
    case FrameType.settings:
        let settings = unsafe UnsafeBufferPointer(start: frame.pointee.settings.iv, count: frame.pointee.settings.niv)
        let entries = unsafe settings.map {
            HTTP2Setting(id: UInt16(truncatingIfNeeded: $0.settings_id), value: $0.value)
        }
        client.serverSettings += entries
        let limit = HTTP2Setting.maxConcurrentStreams(0).id
        client.events.append(.settings(maxConcurrentStreams: entries.last { $0.id == limit }?.value))
    case FrameType.ping where isAcknowledgement:
        client.events.append(.pingAcknowledged)
    case FrameType.goAway:
        let goAway = unsafe frame.pointee.goaway
        let debugData = unsafe Array(UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len))
        let (last, code) = unsafe (goAway.last_stream_id, goAway.error_code)
        client.events.append(.goAway(lastStream: last, code: code, debugData: debugData))
    default:
        break
    }
    return done
}

private func clientStreamClose(
    _: OpaquePointer?, stream: Int32, code: UInt32, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let client = unsafe client(user) else { return done }
    client.bodies[stream] = nil
    let response = client.partial.removeValue(forKey: stream)
    if code == HTTP2ErrorCode.noError.rawValue, let response {
        client.events.append(.response(stream: stream, response))
    } else {
        client.events.append(.reset(stream: stream, code: code))
    }
    return done
}

private func clientComplaint(
    _: OpaquePointer?, _: Int32, words: UnsafePointer<CChar>?, count: Int, user: UnsafeMutableRawPointer?
) -> Int32 {
    guard let client = unsafe client(user), let words = unsafe words else { return done }
    client.lastComplaint = unsafe String(
        decoding: UnsafeRawBufferPointer(start: words, count: count), as: UTF8.self)
    return done
}

func clientReadBody(
    _: OpaquePointer?, stream: Int32, buffer: UnsafeMutablePointer<UInt8>?, length: Int,
    flags: UnsafeMutablePointer<UInt32>?, _: UnsafeMutablePointer<nghttp2_data_source>?, user: UnsafeMutableRawPointer?
) -> Int {
    guard let client = unsafe client(user), var body = client.bodies[stream] else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: length)
    let (count, isLast) = unsafe body.read(into: target)
    client.bodies[stream] = isLast ? nil : body
    if isLast { unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}
