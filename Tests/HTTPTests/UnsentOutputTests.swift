import HTTP2
import Testing

/// Output that a socket has taken in part.
struct UnsentOutputTests {
    /// A frame of this type and stream with so many bytes.
    private func frame(_ type: UInt8, _ stream: UInt8, _ length: UInt8) -> [UInt8] {
        [0, 0, length, type, 0, 0, 0, 0, stream] + [UInt8](repeating: 0xAA, count: Int(length))
    }

    @Test func `whose answers have not wholly left is known after each byte`() {
        // HEADERS of 1, HEADERS and DATA of 3, WINDOW_UPDATE of 5, which is no answer.
        let frames = frame(1, 1, 4) + frame(1, 3, 2) + frame(0, 3, 6) + frame(8, 5, 4)
        for sent in 0...frames.count {
            let expected: Set<Int32> = sent < 13 ? [1, 3] : sent < 39 ? [3] : []
            var output = UnsentOutput(frames, sent: sent)
            #expect(output.answeredStreams == expected, "\(sent) bytes have left")
            #expect(output.count == frames.count - sent && Array(output.rest) == Array(frames[sent...]))
            output.bytes += frame(1, 7, 0)
            #expect(output.answeredStreams == expected.union([7]))
            var slowly = UnsentOutput(frames, sent: 0)
            for _ in 0..<sent { slowly.hasSent(1) }
            #expect(slowly.answeredStreams == expected)
        }
        #expect(UnsentOutput().isEmpty && UnsentOutput(frames, sent: frames.count).isEmpty)
    }
}
