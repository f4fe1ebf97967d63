package import HTTP
package import HTTP2

extension Frame {
    /// The code of RST_STREAM or GOAWAY.
    package var errorCode: HTTP2ErrorCode? {
        switch kind {
        case .resetStream where payload.count == 4:
            HTTP2ErrorCode(rawValue: UInt32(bigEndianBytes: payload[...]))
        case .goAway where payload.count >= 8:
            HTTP2ErrorCode(rawValue: UInt32(bigEndianBytes: payload[4..<8]))
        default: nil
        }
    }

    /// The last stream that GOAWAY names.
    package var lastStream: Int32? {
        guard kind == .goAway, payload.count >= 8 else { return nil }
        return Int32(bitPattern: UInt32(bigEndianBytes: payload[..<4]) & 0x7FFF_FFFF)
    }

    /// The debug data of GOAWAY as text.
    package var debugText: String? {
        kind == .goAway && payload.count >= 8 ? String(decoding: payload[8...], as: UTF8.self) : nil
    }

    /// The entries of SETTINGS.
    package var settings: [HTTP2Setting] {
        guard kind == .settings else { return [] }
        return stride(from: 0, to: payload.count - 5, by: 6).map { start in
            let id = UInt32(bigEndianBytes: payload[start..<start + 2])
            let value = UInt32(bigEndianBytes: payload[start + 2..<start + 6])
            return HTTP2Setting(id: UInt16(truncatingIfNeeded: id), value: value)
        }
    }
}
