import CNghttp2
package import HTTP

extension HTTP2Session {
    /// Answers a stream; ignored when the stream has gone or has its answer.
    ///
    /// Without a body END_STREAM is on the HEADERS frame; else one DATA frame carries the body, if the windows allow.
    package func respond(_ response: borrowing HTTPResponse, stream: Int32) {
        guard let slot = slot(of: stream), !slot.value.state.contains(.answered) else { return }
        slot.value.state.insert(.answered)
        switch response.body {
        case .none: break
        case .constant(let text) where text.utf8CodeUnitCount > 0: slot.value.body = .constant(text, sent: 0)
        case .bytes(let bytes) where !bytes.isEmpty: slot.value.body = .bytes(bytes, sent: 0)
        case .constant, .bytes: break
        }
        if slot.value.check.isHead { slot.value.body = .none }
        if slot.value.state.contains(.endsInReset) { slot.value.body.withoutEnd() }
        let hasBody = if case .none = slot.value.body { false } else { true }
        submit(response, stream: stream, hasBody: hasBody)
    }

    /// Hands an answer's head to nghttp2, which copies it, and the promise of a body.
    private func submit(_ response: borrowing HTTPResponse, stream: Int32, hasBody: Bool) {
        // Taken out of the answer first, as a closure would copy all of it.
        let (first, second, others) = (response.firstID, response.secondID, response.others)
        var status = StatusText(response.status)
        unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: others.count + 3) { list in
            unsafe withUnsafeTemporaryAllocation(byteCount: others.valueBytes, alignment: 1) { values in
                unsafe status.withBytes { digits in
                    guard let fields = list.baseAddress, var free = values.baseAddress else { return }
                    unsafe fields.initialize(to: nghttp2_nv(":status", digits, NGHTTP2_NV_FLAG_NONE))
                    var count = 1
                    func add(_ name: HeaderName, _ length: Int) {
                        let value = unsafe UnsafeRawBufferPointer(start: free, count: length)
                        unsafe (fields + count).initialize(to: nghttp2_nv(name.spelling, value, indexing(name)))
                        count += 1
                        unsafe free += length
                    }
                    if let first {
                        unsafe first.id.write(to: free)
                        add(first.name, UUIDText.length)
                    }
                    if let second {
                        unsafe second.id.write(to: free)
                        add(second.name, UUIDText.length)
                    }
                    for field in others {
                        unsafe field.value.write(to: free)
                        add(field.name, field.value.count)
                    }
                    if hasBody {
                        var provider = unsafe nghttp2_data_provider(
                            source: nghttp2_data_source(), read_callback: onReadBody)
                        unsafe _ = nghttp2_submit_response(handle.pointer, stream, fields, count, &provider)
                    } else {
                        unsafe _ = nghttp2_submit_response(handle.pointer, stream, fields, count, nil)
                    }
                }
            }
        }
    }

    /// Ids differ in every answer; entering them into the HPACK table would only push others out. The first of each name goes
    /// in, so that all later ones can refer to the name.
    private func indexing(_ name: HeaderName) -> nghttp2_nv_flag {
        switch name {
        case .contentType, .contentEncoding: return NGHTTP2_NV_FLAG_NONE
        default:
            let bit: UInt32 = 1 << UInt32(name.rawValue)
            guard indexedNames & bit == 0 else { return NGHTTP2_NV_FLAG_NO_INDEX }
            indexedNames |= bit
            return NGHTTP2_NV_FLAG_NONE
        }
    }

    /// Gives nghttp2 the next bytes of a body.
    func readBody(stream: Int32, into target: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        guard let slot = slot(of: stream) else { return (0, true) }
        let piece = unsafe slot.value.body.read(into: target)
        if slot.value.state.contains(.endsInReset), slot.value.body.isUsedUp {
            reset(stream: stream, code: HTTP2ErrorCode.protocolError.rawValue)
        }
        return piece
    }
}

func onReadBody(
    _: OpaquePointer?, stream: Int32, buffer: UnsafeMutablePointer<UInt8>?, length: Int,
    flags: UnsafeMutablePointer<UInt32>?, _: UnsafeMutablePointer<nghttp2_data_source>?, user: UnsafeMutableRawPointer?
) -> Int {
    guard let user = unsafe user else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
    let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: length)
    let (count, isLast) = unsafe Unmanaged<HTTP2Session>.fromOpaque(user)._withUnsafeGuaranteedRef {
        unsafe $0.readBody(stream: stream, into: target)
    }
    if count == 0, !isLast { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
    if isLast { unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}

extension [HTTPResponse.Field] {
    /// How many bytes the values of these fields and of two ids have together.
    fileprivate var valueBytes: Int {
        reduce(2 * UUIDText.length) { $0 + $1.value.count }
    }
}

extension HTTPResponse.Value {
    var count: Int {
        switch self {
        case .id: UUIDText.length
        case .bytes(let bytes): bytes.count
        }
    }

    /// Writes the value, ``count`` bytes.
    fileprivate func write(to target: UnsafeMutableRawPointer) {
        switch self {
        case .id(let id): unsafe id.write(to: target)
        case .bytes(let bytes):
            unsafe bytes.withUnsafeBytes {
                if let start = $0.baseAddress { unsafe target.copyMemory(from: start, byteCount: $0.count) }
            }
        }
    }
}

extension nghttp2_nv {
    /// A field whose name is a constant, so nghttp2 need not copy it.
    fileprivate init(_ name: StaticString, _ value: UnsafeRawBufferPointer, _ flag: nghttp2_nv_flag) {
        unsafe self.init(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: value.baseAddress?.assumingMemoryBound(to: UInt8.self)),
            namelen: name.utf8CodeUnitCount, valuelen: value.count,
            flags: UInt8(truncatingIfNeeded: flag.rawValue | NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue))
    }
}
