import CLibevent

/// The head of a request, copied out of evhttp's.
struct HTTP1RequestHead {
    let method: String
    let path: String
    let query: String
    let headers: [(name: String, value: String)]

    init(_ request: OpaquePointer) {
        method = unsafe HTTP1Method.name(of: evhttp_request_get_command(request))
        headers = unsafe HTTP1Fields.all(evhttp_request_get_input_headers(request))
        let target = unsafe evhttp_request_get_uri(request).map { unsafe String(cString: $0) } ?? ""
        (path, query) = Self.split(target)
    }

    /// Path and query of a target in origin form ("/v1?a=b"), absolute form ("http://host/v1?a=b") or asterisk form ("*");
    /// the path is empty when it is none of these. evhttp's own reading takes "//a/b" for a host and is not used.
    static func split(_ target: String) -> (path: String, query: String) {
        if target == "*" { return ("*", "") }
        var rest = target.utf8[...]
        for scheme in ["http://", "https://"] {
            guard HTTP1Fields.isSame(String(target.prefix(scheme.count)), scheme) else { continue }
            rest = rest.dropFirst(scheme.utf8.count).drop { !isDelimiter($0) }
            if rest.first != UInt8(ascii: "/") { return ("/", query(in: rest)) }
        }
        guard rest.first == UInt8(ascii: "/") else { return ("", "") }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return (String(Substring(path)), query(in: rest[path.endIndex...]))
    }

    /// What stands behind a leading question mark, up to a fragment.
    private static func query(in rest: Substring.UTF8View) -> String {
        guard rest.first == UInt8(ascii: "?") else { return "" }
        return String(Substring(rest.dropFirst().prefix { $0 != UInt8(ascii: "#") }))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Why the request's end cannot be told for sure, in words for people; what follows on its connection may then be
    /// read as something else by others (request smuggling).
    static func framingFault(method: String, path: String, headers: [(name: String, value: String)]) -> String? {
        func values(_ name: String) -> [String] {
            headers.filter { HTTP1Fields.isSame($0.name, name) }.map(\.value)
        }
        let lengths = values("content-length")
        let codings = values("transfer-encoding")
        if path.isEmpty { return "The target must be a path, as in GET /v1/info." }
        if !codings.isEmpty, codings.count > 1 || !HTTP1Fields.isSame(codings[0], "chunked") {
            return "Transfer-Encoding must be chunked."
        }
        if !codings.isEmpty, !lengths.isEmpty { return "Content-Length and Transfer-Encoding exclude each other." }
        if lengths.contains(where: { $0 != lengths[0] }) { return "Content-Length has two values." }
        // evhttp reads none, and would take what follows for the next request.
        if method == "HEAD" || method == "TRACE", !codings.isEmpty || lengths.contains(where: { $0 != "0" }) {
            return "A \(method) request has no body."
        }
        return nil
    }

    /// The guest's address as text.
    static func peer(of connection: OpaquePointer, isUnix: Bool) -> String {
        if isUnix { return "unix" }
        var host: UnsafeMutablePointer<CChar>?
        var port: UInt16 = 0
        unsafe evhttp_connection_get_peer(connection, &host, &port)
        guard let host = unsafe host else { return "unknown" }
        return unsafe SocketAddress.ip(host: String(cString: host), port: port).description
    }
}
