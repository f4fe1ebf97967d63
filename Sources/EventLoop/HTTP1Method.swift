import CLibevent

/// The methods that reach the handler, whether it knows them or not; others are answered 501 by evhttp.
enum HTTP1Method {
    private static let names: [(evhttp_cmd_type, String)] = [
        (EVHTTP_REQ_GET, "GET"),
        (EVHTTP_REQ_POST, "POST"),
        (EVHTTP_REQ_HEAD, "HEAD"),
        (EVHTTP_REQ_PUT, "PUT"),
        (EVHTTP_REQ_DELETE, "DELETE"),
        (EVHTTP_REQ_OPTIONS, "OPTIONS"),
        (EVHTTP_REQ_PATCH, "PATCH"),
        (EVHTTP_REQ_TRACE, "TRACE"),
    ]

    /// All of them as evhttp wants to know them.
    static let allowed: UInt16 = names.reduce(0) { $0 | UInt16($1.0.rawValue) }

    /// The name of evhttp's number.
    static func name(of type: evhttp_cmd_type) -> String {
        names.first { $0.0 == type }?.1 ?? ""
    }

    /// evhttp's number of a name; nil for a method that we do not send.
    static func type(of name: String) -> evhttp_cmd_type? {
        names.first { $0.1 == name }?.0
    }
}
