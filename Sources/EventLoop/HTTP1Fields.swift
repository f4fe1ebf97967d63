import CLibevent

/// Header fields as evhttp keeps them.
enum HTTP1Fields {
    /// Fields that state where a message ends; they are evhttp's and ours, never a caller's.
    private static let framing = ["content-length", "transfer-encoding"]

    /// All fields of a list.
    static func all(_ list: UnsafeMutablePointer<evkeyvalq>?) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var field = unsafe list?.pointee.tqh_first
        while let current = unsafe field {
            if let name = unsafe current.pointee.key, let value = unsafe current.pointee.value {
                unsafe fields.append((String(cString: name), String(cString: value)))
            }
            unsafe field = unsafe current.pointee.next.tqe_next
        }
        return fields
    }

    /// Adds a caller's fields to an answer or a request.
    static func add(_ fields: [(String, String)], to request: OpaquePointer) {
        for (name, value) in fields where !framing.contains(where: { isSame($0, name) }) {
            unsafe add(name, value, to: request)
        }
    }

    /// Adds a field; what would end the line becomes a space, and a name that is no token is left out, so that nothing
    /// can be smuggled into the head.
    static func add(_ name: String, _ value: String, to request: OpaquePointer) {
        guard isToken(name), let list = unsafe evhttp_request_get_output_headers(request) else { return }
        let line = value.utf8.map { $0 == 0 || $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 } + [0]
        _ = unsafe line.withUnsafeBytes { bytes in
            unsafe evhttp_add_header(list, name, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
    }

    /// Whether two names are the same but for the case of their ASCII letters.
    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    /// Whether the text is a token (RFC 9110, section 5.6.2).
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
