import EventLoop
import HTTP
import HTTP2
import Server
import TestFixtures
import TestSupport
import Testing

/// The rows of frames.json over sockets, against the whole server.
struct FrameVectorTests {
    /// A client that writes bytes and collects frames.
    private final class Peer {
        let connection: TestConnection
        var frames: [Frame] = []
        private var bytes: [UInt8] = []

        init(_ connection: TestConnection) {
            self.connection = connection
        }

        /// Reads until the frames suffice; false at the end of the connection.
        func read(until suffice: ([Frame]) -> Bool) -> Bool {
            while !suffice(frames) {
                guard let more = try? connection.read(), !more.isEmpty else { return false }
                bytes += more
                let new = Frame.all(in: bytes)
                bytes.removeFirst(new.reduce(0) { $0 + 9 + $1.payload.count })
                frames += new
            }
            return true
        }
    }

    @Test(arguments: ["h2c", "tls"])
    func `a frame gets what the RFC says over sockets too`(transport: String) throws {
        try TestServer.run { server in
            for vector in try FrameVector.all.get() where vector.hasSockets {
                let connection =
                    transport == "tls"
                    ? try server.connection()
                    : try TestConnection(try #require(server.server.address(.h2c)), .with { $0.isClearText = true })
                let peer = Peer(connection)
                let isOpen = exchange(vector, peer)
                let flaw = vector.flaw(in: peer.frames)
                #expect(flaw == nil, "\(transport), \(vector): \(flaw ?? "")")
                #expect(isOpen == vector.goesOn, "\(transport), \(vector)")
            }
        }
    }

    /// Sends a row and the proof that the connection goes on; false when it does not.
    private func exchange(_ vector: FrameVector, _ peer: Peer) -> Bool {
        do {
            let pieces = try vector.pieces
            for (index, piece) in pieces.enumerated() {
                try peer.connection.write(piece)
                guard index < pieces.count - 1 else { break }
                let barrier = Frame.ping([UInt8(index), 1, 2, 3, 4, 5, 6, 7], acknowledgement: true)
                try peer.connection.write(Frame.ping(barrier.payload).bytes)
                guard peer.read(until: { $0.contains(barrier) }) else { return false }
            }
            var proof = FrameVector.proof.bytes
            if vector.provesByRequest {
                proof += try FrameScript.bytes("HEADERS \(FrameVector.proofStream) es eh base")
            }
            try? peer.connection.write(proof)
        } catch {
            return false
        }
        return peer.read { frames in
            frames.contains { $0.kind == .ping && $0.payload == FrameVector.proof.payload }
                && (!vector.provesByRequest
                    || frames.contains { $0.stream == FrameVector.proofStream && $0.kind == .headers })
                && (!vector.then.hasPrefix("answered") || isAnswered(vector, frames))
        }
    }

    /// Whether the answer that the row expects has come whole.
    private func isAnswered(_ vector: FrameVector, _ frames: [Frame]) -> Bool {
        let stream = vector.then.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
        return frames.contains {
            $0.stream == stream
                && ($0.kind == .resetStream || $0.kind != .windowUpdate && $0.flags.contains(.endStream))
        }
    }
}
