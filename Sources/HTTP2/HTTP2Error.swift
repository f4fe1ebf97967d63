/// A connection-level failure of HTTP/2.
package struct HTTP2Error: Error, Sendable, CustomStringConvertible {
    /// nghttp2's number.
    package let code: Int32
    /// The words for people.
    package let description: String

    package init(code: Int32, description: String) {
        self.code = code
        self.description = description
    }
}
