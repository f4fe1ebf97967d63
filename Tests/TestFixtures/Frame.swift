/// One HTTP/2 frame, written and read by hand, so that tests can send what no library sends and see every bit that came.
package struct Frame: Equatable, Sendable {
    /// The types of RFC 9113, section 6.
    package enum Kind: UInt8, Sendable {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    /// The flags of RFC 9113, section 6.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let endStream = Flags(rawValue: 0x1)
        package static let acknowledgement = Flags(rawValue: 0x1)
        package static let endHeaders = Flags(rawValue: 0x4)
        package static let padded = Flags(rawValue: 0x8)
        package static let priority = Flags(rawValue: 0x20)
    }

    package var type: UInt8
    package var flags: Flags
    package var stream: Int32
    package var payload: [UInt8]

    /// A frame of any type.
    package init(type: UInt8, flags: Flags = [], stream: Int32 = 0, payload: [UInt8] = []) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    package init(_ kind: Kind, flags: Flags = [], stream: Int32 = 0, payload: [UInt8] = []) {
        self.init(type: kind.rawValue, flags: flags, stream: stream, payload: payload)
    }

    /// The type, when it is a known one.
    package var kind: Kind? { Kind(rawValue: type) }

    /// The frame as it goes over the wire.
    package var bytes: [UInt8] {
        let length = UInt32(payload.count)
        var bytes = Array(length.bigEndianBytes.dropFirst())
        bytes += [type, flags.rawValue]
        bytes += UInt32(bitPattern: stream).bigEndianBytes
        return bytes + payload
    }

    /// The frames in these bytes; what follows the last whole one is left out.
    package static func all(in bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var position = 0
        while position + 9 <= bytes.count {
            let length = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
            guard position + 9 + length <= bytes.count else { break }
            let stream = Int32(bitPattern: UInt32(bigEndianBytes: bytes[(position + 5)..<(position + 9)]) & 0x7FFF_FFFF)
            frames.append(
                Frame(
                    type: bytes[position + 3], flags: Flags(rawValue: bytes[position + 4]), stream: stream,
                    payload: Array(bytes[(position + 9)..<(position + 9 + length)])))
            position += 9 + length
        }
        return frames
    }
}

extension Sequence<Frame> {
    /// The frames as they go over the wire, one after the other.
    package var bytes: [UInt8] { flatMap(\.bytes) }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)]
    }

    init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
