import HTTP
import HTTP2
import Testing

/// A server session and a client session wired back to back, without a socket.
final class SessionPair {
    let server: HTTP2Session
    let client: HTTP2ClientSession
    let owner: RecordingOwner
    /// Everything the client was told.
    var events: [HTTP2ClientSession.Event] = []
    /// Everything the server sent.
    var serverOutput: [UInt8] = []

    init(
        configuration: HTTP2Session.Configuration = .init(), settings: [HTTP2Setting] = [.enablePush(0)],
        firstStream: Int32 = 1, callbacks: HTTP2Session.Callbacks = .init(),
        answer: @escaping (HTTPRequest) -> HTTPResponse? = { _ in HTTPResponse(status: 200) }
    ) throws {
        owner = RecordingOwner(answer: answer)
        server = try HTTP2Session(callbacks: callbacks, configuration: configuration, delegate: owner)
        client = try HTTP2ClientSession(settings: settings, firstStream: firstStream)
    }

    /// Carries bytes both ways until neither side has anything to say.
    func run() throws {
        while try step() {}
    }

    /// Carries what is pending once; false when there was nothing.
    func step() throws -> Bool {
        var toServer: [UInt8] = []
        try client.fill(&toServer)
        try toServer.withUnsafeBytes { try server.receive($0) }
        var toClient: [UInt8] = []
        try server.fill(&toClient, limit: .max)
        serverOutput += toClient
        events += try toClient.withUnsafeBytes { try client.receive($0) }
        return !toServer.isEmpty || !toClient.isEmpty
    }

    /// Sends a push and returns its answer.
    func push(_ extra: [(String, String)] = [], body: [UInt8] = Array("{}".utf8)) throws -> HTTP2ClientSession.Response
    {
        let stream = try client.submit(SessionPair.fields + extra, body: body)
        try run()
        return try #require(responses[stream])
    }

    /// The answers by stream.
    var responses: [Int32: HTTP2ClientSession.Response] {
        var found: [Int32: HTTP2ClientSession.Response] = [:]
        for case .response(let stream, let response) in events { found[stream] = response }
        return found
    }

    /// The fields of a usual request.
    static let fields = [
        (":method", "POST"), (":scheme", "https"), (":authority", "127.0.0.1:2197"), (":path", "/3/device/abcd"),
    ]
}

/// An owner that answers at once and writes down what it was told.
final class RecordingOwner: HTTP2Session.Delegate {
    var requests: [(stream: Int32, request: HTTPRequest)] = []
    var closed: [(stream: Int32, code: UInt32)] = []
    var rejections: [(stream: Int32, rejection: StreamRejection)] = []
    var late: [(stream: Int32, goAway: GoAway)] = []
    let answer: (HTTPRequest) -> HTTPResponse?
    /// Whether malformed requests are answered, as APNs would, where HTTP/2 allows it.
    var answersMalformed = false

    init(answer: @escaping (HTTPRequest) -> HTTPResponse?) {
        self.answer = answer
    }

    func session(
        _ session: HTTP2Session, receivedMalformed request: consuming HTTPRequest, stream: Int32
    ) -> Bool {
        guard answersMalformed else { return false }
        self.session(session, received: request, stream: stream)
        return true
    }

    func session(_ session: HTTP2Session, received request: consuming HTTPRequest, stream: Int32) {
        let copy = request
        requests.append((stream, copy))
        if let response = answer(copy) { session.respond(response, stream: stream) }
    }

    func session(_ session: HTTP2Session, closedStream stream: Int32, code: UInt32) {
        closed.append((stream, code))
    }

    func session(_ session: HTTP2Session, rejectedStream stream: Int32, because rejection: StreamRejection) {
        rejections.append((stream, rejection))
    }

    func session(_ session: HTTP2Session, ignoredStream stream: Int32, after goAway: GoAway) {
        late.append((stream, goAway))
    }
}
