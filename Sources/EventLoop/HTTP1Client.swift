#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A small HTTP/1.1 client for the command line: one request, one answer, or an answer read piece by piece.
package enum HTTP1Client {
    /// An answer, whole.
    package struct Response: Sendable {
        /// The status: 200.
        package var status: Int
        /// The header fields in the order of their arrival.
        package var headers: [(name: String, value: String)]
        /// The body; empty when it was given away in pieces.
        package var body: [UInt8]
    }

    /// Sends one request to `host:port` and waits for the answer on the calling thread, at most so long.
    ///
    /// The host is a numeric address, "localhost" (127.0.0.1, then ::1), or a name of /etc/hosts or of the name servers in
    /// /etc/resolv.conf; the C library's resolver is not used, as a static program cannot have it. `onPiece` is given each
    /// piece of the body as it comes and ends the exchange by returning false; the time limit then holds until the head of
    /// the answer, for a stream may be silent for long.
    package static func send(
        method: String, host: String, port: UInt16, target: String, headers: [(String, String)] = [],
        body: [UInt8] = [],
        timeoutMilliseconds: Int64, onPiece: (([UInt8]) -> Bool)? = nil
    ) throws(EventLoopError) -> Response {
        let host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let request = HTTP1ClientRequest(
            method: method, host: host, port: port, target: target, headers: headers, body: body)
        try request.check()
        let loop = try EventLoop()
        let call = try HTTP1ClientCall(request, on: loop, onPiece: onPiece)
        try call.start(timeoutMilliseconds: timeoutMilliseconds)
        loop.run()
        return try call.end()
    }
}
