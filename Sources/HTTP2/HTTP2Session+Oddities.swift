import CNghttp2
package import HTTP

/// Answers that no well-behaved server gives; none of this is on the way of an ordinary one.
extension HTTP2Session {
    /// How the body of an odd answer leaves.
    package enum Delivery: Sendable {
        /// As usual.
        case whole
        /// Never: the stream stays open behind the head.
        case withheld
        /// As ``allow(_:stream:)`` lets it.
        case metered
    }

    /// Answers a stream with any fields and any delivery; ignored when the stream has gone or has its answer.
    package func respondOddly(
        _ response: HTTPResponse, fields: [(name: String, value: String)], body: [UInt8], _ delivery: Delivery,
        stream: Int32
    ) {
        guard let slot = slot(of: stream), !slot.value.state.contains(.answered) else { return }
        slot.value.state.insert(.answered)
        switch delivery {
        case .whole: slot.value.body = body.isEmpty ? .none : .bytes(body, sent: 0)
        case .withheld: slot.value.body = .metered([], sent: 0, allowed: 0, ends: false)
        case .metered: slot.value.body = body.isEmpty ? .none : .metered(body, sent: 0, allowed: 0, ends: true)
        }
        if slot.value.check.isHead { slot.value.body = delivery == .withheld ? slot.value.body : .none }
        let hasBody = if case .none = slot.value.body { false } else { true }
        var texts: [(name: [UInt8], value: [UInt8])] = [(Array(":status".utf8), Array(String(response.status).utf8))]
        for field in response.fields { texts.append((Array(field.name.spelling.description.utf8), field.value.bytes)) }
        for (name, value) in fields { texts.append((Array(name.utf8), Array(value.utf8))) }
        submit(texts, stream: stream, hasBody: hasBody)
    }

    /// Lets more bytes of a metered body leave; false when all may, or the stream has gone.
    package func allow(_ more: Int, stream: Int32) -> Bool {
        guard let slot = slot(of: stream), case .metered(let bytes, let sent, let allowed, let ends) = slot.value.body
        else { return false }
        slot.value.body = .metered(bytes, sent: sent, allowed: allowed + more, ends: ends)
        unsafe _ = nghttp2_session_resume_data(handle.pointer, stream)
        return allowed + more < bytes.count
    }

    /// Hands a head of any fields to nghttp2, which copies it.
    private func submit(_ texts: [(name: [UInt8], value: [UInt8])], stream: Int32, hasBody: Bool) {
        var bytes: [UInt8] = []
        for (name, value) in texts { bytes += name + value }
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            let list = unsafe texts.map { name, value in
                let field = unsafe nghttp2_nv(
                    name: next, value: next.map { unsafe $0 + name.count }, namelen: name.count, valuelen: value.count,
                    flags: UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue))
                unsafe next = next.map { unsafe $0 + name.count + value.count }
                return unsafe field
            }
            var provider = unsafe nghttp2_data_provider(source: nghttp2_data_source(), read_callback: onReadBody)
            unsafe list.withUnsafeBufferPointer {
                if hasBody {
                    unsafe _ = nghttp2_submit_response(handle.pointer, stream, $0.baseAddress, $0.count, &provider)
                } else {
                    unsafe _ = nghttp2_submit_response(handle.pointer, stream, $0.baseAddress, $0.count, nil)
                }
            }
        }
    }
}

extension HTTPResponse.Value {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .id(let id): Array(id.description.utf8)
        case .bytes(let bytes): bytes
        }
    }
}
