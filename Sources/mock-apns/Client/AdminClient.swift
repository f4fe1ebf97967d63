import EventLoop
import Server

/// Asks the admin API of a running server.
struct AdminClient {
    let settings: ClientSettings

    /// Sends one request. An unreachable server is exit code 69, a refused guest 77; other answers are the caller's.
    func send(
        _ target: String, method: String = "GET", accept: String? = nil, body: [UInt8] = [], waitMilliseconds: Int64 = 0
    ) throws -> HTTP1Client.Response {
        try exchange(
            target, method: method, accept: accept, body: body,
            timeoutMilliseconds: settings.timeoutMilliseconds + waitMilliseconds)
    }

    /// Reads an answer that goes on, piece by piece, until the server ends it.
    func read(
        _ target: String, accept: String, _ onPiece: @escaping ([UInt8]) -> Void
    ) throws -> HTTP1Client.Response {
        try exchange(target, method: "GET", accept: accept, timeoutMilliseconds: settings.timeoutMilliseconds) {
            onPiece($0)
            return true
        }
    }

    private func exchange(
        _ target: String, method: String, accept: String?, body: [UInt8] = [], timeoutMilliseconds: Int64,
        onPiece: (([UInt8]) -> Bool)? = nil
    ) throws -> HTTP1Client.Response {
        var headers: [(String, String)] = []
        if let accept { headers.append(("accept", accept)) }
        if !body.isEmpty { headers.append(("content-type", "application/json")) }
        if let token = settings.adminToken { headers.append(("authorization", "Bearer \(token)")) }
        let response: HTTP1Client.Response
        do {
            response = try HTTP1Client.send(
                method: method, host: settings.admin.host, port: settings.admin.port, target: path(target),
                headers: headers, body: body, timeoutMilliseconds: timeoutMilliseconds, onPiece: onPiece)
        } catch {
            throw CommandFailure(
                "no server answers at \(settings.admin) (\(error)); start one with `mock-apns serve`, or name it with --admin"
                    + " or MOCK_APNS_ADMIN", .unreachable)
        }
        if response.status == 401 || response.status == 403 {
            throw CommandFailure("\(settings.admin) refuses: \(response.text)", .refused)
        }
        return response
    }

    /// The target in the namespace that is meant.
    private func path(_ target: String) -> String {
        guard let namespace = settings.namespace, target.hasPrefix("/v1/") else { return target }
        return "/v1/ns/\(namespace)" + target.dropFirst(3)
    }

    /// Asks for entries and prints them; what the answer means for a script is the exit code.
    func show(_ path: String, _ query: Query, waitMilliseconds: Int64 = 0) throws -> ExitCode {
        let response = try send(path + query.text, accept: accept, waitMilliseconds: waitMilliseconds)
        try printBody(of: response)
        return response.exitCode
    }

    /// Asks for a change and prints the answer.
    func change(_ path: String, method: String, body: [UInt8] = []) throws -> ExitCode {
        let response = try send(path, method: method, accept: accept, body: body)
        try printBody(of: response)
        return response.exitCode
    }

    /// What to ask for, so that the answer can be printed as it is.
    var accept: String { settings.output == .text ? "text/plain" : "application/json" }

    /// Prints an answer: entries to standard output, everything else to standard error.
    func printBody(of response: HTTP1Client.Response) throws {
        guard (200..<300).contains(response.status) else {
            let stream: StandardStream = settings.output == .text ? .error : .output
            if !settings.isQuiet || settings.output != .text { stream.write(response.text.endingInLineFeed) }
            return
        }
        if settings.isQuiet { return }
        switch settings.output {
        case .text: StandardStream.output.show(response.text)
        case .json: StandardStream.output.write(response.text.endingInLineFeed)
        case .ndjson: StandardStream.output.write(try EntryList(response.body).lines)
        }
    }
}

extension HTTP1Client.Response {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field; names in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// What the status means for a script.
    var exitCode: ExitCode {
        switch status {
        case 200..<300: .success
        case 404, 410, 417: .expectationUnmet
        case 400, 405, 409, 413, 415, 422: .badInput
        case 401, 403: .refused
        case 429, 503: .unreachable
        default: .internalError
        }
    }
}

extension String {
    /// The text, ending in a line feed unless it is empty.
    var endingInLineFeed: String { isEmpty || hasSuffix("\n") ? self : self + "\n" }
}
