/// A failed set-up: what was tried, OpenSSL's queue of errors, and the place in our code.
package struct TLSError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
