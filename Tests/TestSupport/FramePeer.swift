package import EventLoop

/// A client that writes and reads its HTTP/2 frames by hand over a live connection.
package final class FramePeer {
    /// The connection, for bytes that are no frames.
    package let connection: TestConnection
    private var bytes: [UInt8] = []
    private var frames: [Frame] = []

    /// Connects and sends preface and SETTINGS.
    package init(_ address: SocketAddress, _ options: TestConnection.Options) throws {
        connection = try TestConnection(address, options)
        try connection.write(Frame.preface + Frame.settings().bytes)
    }

    /// Sends frames.
    package func send(_ frames: Frame...) throws {
        try connection.write(frames.bytes)
    }

    /// Reads until so many streams have ended, and sends `unsent` meanwhile as the server takes it. Returns how many were
    /// answered; the others were reset.
    package func endOfStreams(_ count: Int, sending unsent: inout [UInt8]) throws -> Int {
        var left = count
        var answered = 0
        while left > 0 {
            guard let more = try connection.exchange(&unsent) else {
                throw TestConnection.Failure("the server closed the connection, \(left) answers are missing")
            }
            bytes += more
            let frames = Frame.all(in: bytes)
            bytes.removeFirst(frames.reduce(0) { $0 + $1.bytes.count })
            let ended = frames.count { $0.stream != 0 && $0.flags.contains(.endStream) }
            left -= ended + frames.count { $0.kind == .resetStream }
            answered += ended
        }
        return answered
    }

    /// Waits for the next frame; nil at the end of the connection.
    package func next() throws -> Frame? {
        while frames.isEmpty {
            let more = try connection.read()
            if more.isEmpty { return nil }
            bytes += more
            frames = Frame.all(in: bytes)
            bytes.removeFirst(frames.reduce(0) { $0 + $1.bytes.count })
        }
        return frames.removeFirst()
    }

    /// Waits for the next frame of this type, and drops those before it.
    package func next(_ kind: Frame.Kind, acknowledgement: Bool? = nil) throws -> Frame {
        while let frame = try next() {
            if frame.kind == kind, acknowledgement.map({ $0 == frame.flags.contains(.acknowledgement) }) ?? true {
                return frame
            }
        }
        throw TestConnection.Failure("the server closed the connection before a frame of type \(kind)")
    }
}
