/// Recognises an HTTP/1 request among the first bytes of a peer.
enum HTTP1Opening {
    /// Whether the bytes begin with a method and a blank, and are not HTTP/2's preface.
    static func isRequest(_ bytes: [UInt8]) -> Bool {
        let method = bytes.prefix { (65...90).contains($0) }
        guard method.count >= 3, method.count <= 16, bytes.count > method.count else {
            return false
        }
        return bytes[method.count] == UInt8(ascii: " ") && !method.elementsEqual("PRI".utf8)
    }
}
