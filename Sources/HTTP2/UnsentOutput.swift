/// Output that a socket has not taken yet. It begins with a whole frame, of which a part may have left, so that it can be told
/// whose answers are among it.
package struct UnsentOutput {
    /// The frames; of the first ones a part has left. Only to be added to.
    package var bytes: [UInt8] = []
    private var sent = 0

    /// How many bytes have not left.
    package var count: Int { bytes.count - sent }
    package var isEmpty: Bool { bytes.count == sent }
    /// What has not left.
    package var rest: ArraySlice<UInt8> { bytes[sent...] }

    /// Nothing.
    package init() {}

    /// Frames of which the first bytes have left.
    package init(_ frames: [UInt8], sent: Int) {
        bytes = frames
        hasSent(sent)
    }

    /// More bytes have left; frames that are out are forgotten.
    package mutating func hasSent(_ count: Int) {
        sent += count
        var whole = 0
        while let end = endOfFrame(at: whole), end <= sent { whole = end }
        bytes.removeFirst(whole)
        sent -= whole
    }

    /// The streams with a part of an answer that has not left.
    package var answeredStreams: Set<Int32> {
        var streams: Set<Int32> = []
        var start = 0
        while let end = endOfFrame(at: start) {
            if bytes[start + 3] == FrameType.headers || bytes[start + 3] == FrameType.data {
                streams.insert(Int32(truncatingIfNeeded: number(start + 5, bytes: 4) & 0x7FFF_FFFF))
            }
            start = end
        }
        return streams
    }

    private func endOfFrame(at start: Int) -> Int? {
        guard start + FrameType.headerBytes <= bytes.count else { return nil }
        return start + FrameType.headerBytes + number(start, bytes: 3)
    }

    private func number(_ start: Int, bytes count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
