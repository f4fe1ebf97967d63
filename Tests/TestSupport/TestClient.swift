package import EventLoop
package import HTTP2

/// A sender of one connection that waits for each answer: the shortest way from a test to the wire.
package final class TestClient {
    /// The HTTP/2 session, for tests that send more than requests.
    package let http2: HTTP2ClientSession
    /// What happened and has not been asked for yet.
    private var events: [HTTP2ClientSession.Event] = []
    private let connection: TestConnection

    /// Connects; preface and SETTINGS go out with the first request.
    package init(_ address: SocketAddress, _ options: TestConnection.Options) throws {
        connection = try TestConnection(address, options)
        http2 = try HTTP2ClientSession()
    }

    /// Sends a request and waits for its answer.
    package func request(_ fields: [(String, String)], body: [UInt8] = []) throws -> HTTP2ClientSession.Response {
        let stream = try http2.submit(fields, body: body)
        try flush()
        return try response(to: stream)
    }

    /// Sends a request with a text as its body and waits for its answer.
    package func request(_ fields: [(String, String)], _ body: String) throws -> HTTP2ClientSession.Response {
        try request(fields, body: Array(body.utf8))
    }

    /// Waits for the answer to a stream.
    package func response(to stream: Int32) throws -> HTTP2ClientSession.Response {
        try event { event in
            switch event {
            case .response(stream, let response): response
            case .reset(stream, let code):
                throw TestConnection.Failure("stream \(stream) was reset with code \(code)")
            default: nil
            }
        }
    }

    /// Waits for the first event that the test is interested in, and takes it out.
    package func event<Value>(_ pick: (HTTP2ClientSession.Event) throws -> Value?) throws -> Value {
        while true {
            for (index, event) in events.enumerated() {
                if let value = try pick(event) {
                    events.remove(at: index)
                    return value
                }
            }
            guard try receive() else { throw TestConnection.Failure("the server closed the connection") }
        }
    }

    /// Waits for GOAWAY; its debug data as text.
    package func goAway() throws -> (lastStream: Int32, code: UInt32, debugData: String) {
        try event {
            guard case .goAway(let lastStream, let code, let debugData) = $0 else { return nil }
            return (lastStream, code, String(decoding: debugData, as: UTF8.self))
        }
    }

    /// Waits until the server has closed the connection.
    package func waitForEnd() throws {
        while try receive() {}
    }

    /// Waits until the connection ends; whether it ended with a TCP reset.
    package func seesReset() throws -> Bool {
        while true {
            if connection.isReset() { return true }
            // Nothing is answered: writing to a connection that was reset would fail first.
            if try connection.read().isEmpty { return false }
        }
    }

    /// Sends what the session has to send.
    package func flush() throws {
        var output: [UInt8] = []
        try http2.fill(&output)
        try connection.write(output)
    }

    /// Sends bytes inside TLS, past HTTP/2.
    package func write(_ bytes: [UInt8]) throws {
        try connection.write(bytes)
    }

    /// Reads once; false at the end of the connection.
    private func receive() throws -> Bool {
        let bytes = try connection.read()
        if bytes.isEmpty { return false }
        try bytes.withUnsafeBytes { events += try http2.receive($0) }
        try flush()
        return true
    }
}
