import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a client sends.
struct HTTP1ClientRequest {
    let method: String
    let host: String
    let port: UInt16
    let target: String
    let headers: [(String, String)]
    let body: [UInt8]

    /// "127.0.0.1:2198", with the brackets that IPv6 needs.
    var authority: String { SocketAddress.ip(host: host, port: port).description }

    /// Refuses what cannot be written as a request line.
    func check() throws(EventLoopError) {
        guard HTTP1Method.type(of: method) != nil else {
            throw EventLoopError(action: "send \(method)", errorNumber: EINVAL, words: "the method is not known")
        }
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw EventLoopError(
                action: "send \(method) \(target)", errorNumber: EINVAL,
                words: "a target starts with / and is percent-encoded")
        }
        guard !host.isEmpty, !host.utf8.contains(0) else {
            throw EventLoopError(action: "send \(method) \(target)", errorNumber: EINVAL, words: "the host is missing")
        }
    }

    /// evhttp's request with our fields and body; `context` is for its callbacks.
    func make(
        _ context: UnsafeMutableRawPointer,
        _ completed: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void
    ) -> OpaquePointer? {
        guard let request = unsafe evhttp_request_new(completed, context) else { return nil }
        if !headers.contains(where: { HTTP1Fields.isSame($0.0, "host") }) {
            unsafe HTTP1Fields.add("Host", authority, to: request)
        }
        unsafe HTTP1Fields.add(headers, to: request)
        unsafe HTTP1Fields.add("Connection", "close", to: request)
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
            unsafe HTTP1Fields.add("Content-Length", String(body.count), to: request)
        }
        if let buffer = unsafe evhttp_request_get_output_buffer(request) {
            _ = unsafe evbuffer_add(buffer, body, body.count)
        }
        return unsafe request
    }
}
