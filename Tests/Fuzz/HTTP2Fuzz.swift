import HTTP
import HTTP2

/// Bytes of a sender behind the preface and its SETTINGS: no trap, and no stream is handed over twice while it is open.
enum HTTP2Fuzz {
    /// Answers at once every second request, and the others when the connection ends.
    private final class Owner: HTTP2Session.Delegate {
        var open: Set<Int32> = []
        var late: [Int32] = []

        func session(_ session: HTTP2Session, received request: consuming HTTPRequest, stream: Int32) {
            precondition(open.insert(stream).inserted, "stream \(stream) was handed over twice")
            if stream & 2 == 0 {
                late.append(stream)
            } else {
                session.respond(HTTPResponse(status: 400, body: .constant(#"{"reason":"BadPath"}"#)), stream: stream)
            }
        }

        func session(_ session: HTTP2Session, closedStream stream: Int32, code: UInt32) { open.remove(stream) }
    }

    nonisolated(unsafe) private static let callbacks = HTTP2Session.Callbacks()
    private static let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    static func run(_ bytes: [UInt8]) {
        let owner = Owner()
        guard let session = try? HTTP2Session(callbacks: callbacks, configuration: .init(), delegate: owner) else {
            return
        }
        var output: [UInt8] = []
        do {
            // The first byte says how large the pieces are.
            let size = Int(bytes.first ?? 0) + 1
            var rest = (opening + bytes.dropFirst())[...]
            while !rest.isEmpty, session.wantsRead {
                let piece = Array(rest.prefix(size))
                rest = rest.dropFirst(size)
                try piece.withUnsafeBytes { try session.receive($0) }
                try session.fill(&output, limit: 64 << 10)
                output.removeAll(keepingCapacity: true)
            }
            for stream in owner.late { session.respond(HTTPResponse(status: 200), stream: stream) }
            try session.fill(&output, limit: 64 << 10)
        } catch {
            precondition(session.failure != nil, "an error that the session does not know of")
        }
        withExtendedLifetime(owner) {}
    }
}
