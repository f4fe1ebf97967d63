package import EventLoop
import Foundation

/// A sender that writes HTTP/1.1 by hand over one connection and waits for each answer.
package final class TestHTTP1Client {
    /// An answer.
    package struct Response {
        package let status: Int
        /// Names in lower case.
        package let fields: [(name: String, value: String)]
        package let body: String

        /// The first value of a field.
        package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    private let connection: RawConnection

    /// Connects.
    package init(_ address: SocketAddress) throws {
        connection = try RawConnection(address)
    }

    /// Sends a request with a Content-Length, its pseudo-header fields made the request line and Host.
    package func send(
        _ fields: [(String, String)], _ body: String = "", chunks: [String]? = nil, isBodyHeldBack: Bool = false
    ) throws {
        func value(_ name: String) -> String { fields.first { $0.0 == name }?.1 ?? "" }
        var text = "\(value(":method")) \(value(":path")) HTTP/1.1\r\nHost: \(value(":authority"))\r\n"
        for (name, value) in fields where !name.hasPrefix(":") { text += "\(name): \(value)\r\n" }
        if let chunks {
            text += "Transfer-Encoding: chunked\r\n\r\n"
            for chunk in chunks { text += "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n" }
            text += "0\r\n\r\n"
        } else {
            text += "Content-Length: \(body.utf8.count)\r\n\r\n" + (isBodyHeldBack ? "" : body)
        }
        try send(text)
    }

    /// Sends bytes as they are.
    package func send(_ text: String) throws {
        try connection.send(text)
    }

    /// Sends a request and waits for its answer.
    package func request(
        _ fields: [(String, String)], _ body: String = "", chunks: [String]? = nil
    ) throws -> Response {
        try send(fields, body, chunks: chunks)
        return try response()
    }

    /// Waits for the next answer.
    package func response() throws -> Response {
        var head = ""
        while !head.hasSuffix("\r\n\r\n") {
            let byte = try connection.receive(upTo: 1)
            if byte.isEmpty { throw TestConnection.Failure("the server closed the connection after \"\(head)\"") }
            head += byte
        }
        var lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let words = lines.removeFirst().split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw TestConnection.Failure("no answer: \(head)")
        }
        let fields = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: parts[0].lowercased(), value: parts[1].trimmingCharacters(in: .whitespaces))
        }
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        return Response(status: status, fields: fields, body: try connection.receive(upTo: length))
    }

    /// Waits for bytes or the end; whether the end has come, and was a TCP reset.
    package func seesReset() -> Bool {
        connection.isReset()
    }

    /// Whether the server has closed the connection; waits for it.
    package func waitForEnd() throws -> String {
        try connection.receiveAll()
    }
}
