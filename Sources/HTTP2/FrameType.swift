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
}
