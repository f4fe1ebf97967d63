/// The few numbers of HTTP/2 framing (RFC 9113, section 4.1) that this module reads itself.
enum FrameType {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let resetStream: UInt8 = 3
    static let settings: UInt8 = 4
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7

    /// The length of a frame's header.
    static let headerBytes = 9
    static let acknowledgement: UInt8 = 1
    static let endStream: UInt8 = 1
    static let padded: UInt8 = 8
    static let priority: UInt8 = 0x20
    /// The length of a priority in HEADERS, and the least of GOAWAY.
    static let priorityBytes = 5
    static let goAwayBytes = 8
    /// The payload of PING.
    static let pingBytes = 8
    /// A type that nobody has defined.
    static let unknown: UInt8 = 0xFF
}
