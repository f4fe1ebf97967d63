/// A connection-level failure of HTTP/2.
package struct HTTP2Error: Error, Sendable, Equatable, CustomStringConvertible {
    /// nghttp2's number for a failure inside the library (negative), or the code of the GOAWAY that was sent.
    package let code: Int32
    /// The words for people.
    package let description: String

    package init(code: Int32, description: String) {
        self.code = code
        self.description = description
    }
}
