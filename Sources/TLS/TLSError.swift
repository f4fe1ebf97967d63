/// A failed set-up: what was tried, OpenSSL's queue of errors, and the place in our code.
package struct TLSError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// A failure inside OpenSSL that no input explains: the attempt, its queue of errors, and the place in our code.
    static func library(_ attempt: String, file: StaticString = #fileID, line: UInt = #line) -> TLSError {
        let errors = OpenSSLErrors.collect()
        let words = errors.codes.isEmpty ? "OpenSSL gives no reason" : errors.text
        return TLSError("\(attempt): \(words) (\(file):\(line))")
    }
}
