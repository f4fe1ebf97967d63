import HTTP

/// A GOAWAY frame.
package struct GoAway: Sendable, Equatable {
    /// The last stream that is answered.
    package let lastStream: Int32
    package let code: UInt32
    package let debugData: [UInt8]

    /// The name of the code.
    package var codeName: String { HTTP2ErrorCode.name(of: code) }

    /// The frame's payload; nil when it is too short.
    init?(payload: ArraySlice<UInt8>) {
        guard payload.count >= 8 else { return nil }
        func number(_ offset: Int) -> UInt32 {
            payload.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        lastStream = Int32(truncatingIfNeeded: number(0) & 0x7FFF_FFFF)
        code = number(4)
        debugData = Array(payload.dropFirst(8))
    }
}
