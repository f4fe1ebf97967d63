package import HTTP
package import HTTP2

extension Frame {
    /// What a client sends before its first frame.
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    package static func settings(_ settings: [HTTP2Setting] = []) -> Frame {
        var payload: [UInt8] = []
        for setting in settings {
            payload += UInt32(setting.id).bigEndianBytes.dropFirst(2)
            payload += setting.value.bigEndianBytes
        }
        return Frame(.settings, payload: payload)
    }

    package static let settingsAcknowledgement = Frame(.settings, flags: .acknowledgement)

    /// HEADERS with these fields, uncompressed; with `padding` so many bytes and with `priority` its five are added.
    package static func headers(
        _ fields: [(String, String)], stream: Int32, endStream: Bool = false, endHeaders: Bool = true,
        padding: UInt8? = nil, priority: Bool = false
    ) -> Frame {
        var flags: Flags = endStream ? .endStream : []
        if endHeaders { flags.insert(.endHeaders) }
        var payload: [UInt8] = []
        if let padding {
            flags.insert(.padded)
            payload.append(padding)
        }
        if priority {
            flags.insert(.priority)
            payload += UInt32(0).bigEndianBytes + [15]
        }
        payload += headerBlock(fields) + Array(repeating: 0, count: Int(padding ?? 0))
        return Frame(.headers, flags: flags, stream: stream, payload: payload)
    }

    package static func data(
        _ bytes: [UInt8], stream: Int32, endStream: Bool = false, padding: UInt8? = nil
    ) -> Frame {
        var flags: Flags = endStream ? .endStream : []
        guard let padding else { return Frame(.data, flags: flags, stream: stream, payload: bytes) }
        flags.insert(.padded)
        let payload = [padding] + bytes + Array(repeating: 0, count: Int(padding))
        return Frame(.data, flags: flags, stream: stream, payload: payload)
    }

    package static func continuation(_ block: [UInt8], stream: Int32, endHeaders: Bool) -> Frame {
        Frame(.continuation, flags: endHeaders ? .endHeaders : [], stream: stream, payload: block)
    }

    package static func priority(stream: Int32) -> Frame {
        Frame(.priority, stream: stream, payload: UInt32(0).bigEndianBytes + [200])
    }

    package static func resetStream(_ stream: Int32, code: HTTP2ErrorCode) -> Frame {
        Frame(.resetStream, stream: stream, payload: code.rawValue.bigEndianBytes)
    }

    package static func ping(_ data: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8], acknowledgement: Bool = false) -> Frame {
        Frame(.ping, flags: acknowledgement ? .acknowledgement : [], payload: data)
    }

    package static func goAway(lastStream: Int32 = 0, code: HTTP2ErrorCode = .noError, debugData: [UInt8] = []) -> Frame
    {
        Frame(.goAway, payload: UInt32(lastStream).bigEndianBytes + code.rawValue.bigEndianBytes + debugData)
    }

    package static func windowUpdate(stream: Int32 = 0, by increment: UInt32) -> Frame {
        Frame(.windowUpdate, stream: stream, payload: increment.bigEndianBytes)
    }

    /// Fields in HPACK's plainest form: literal, never Huffman, without indexing.
    package static func headerBlock(_ fields: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block.append(0)
            for text in [name, value] {
                block += hpackInteger(text.utf8.count)
                block += text.utf8
            }
        }
        return block
    }

    /// A number with a prefix of seven bits (RFC 7541, section 5.1).
    static func hpackInteger(_ value: Int) -> [UInt8] {
        guard value >= 127 else { return [UInt8(value)] }
        var rest = value - 127
        var bytes: [UInt8] = [127]
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
