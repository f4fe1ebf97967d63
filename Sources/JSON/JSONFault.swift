/// Why some bytes are not JSON, and where.
package struct JSONFault: Error, Sendable, Equatable {
    /// What is wrong, in words that follow "the payload is not JSON:".
    package let message: String
    /// How many bytes precede the fault.
    package let offset: Int
    /// The line of the fault, from 1.
    package let line: Int
    /// The byte in that line, from 1.
    package let column: Int

    package init(message: String, offset: Int, line: Int, column: Int) {
        self.message = message
        self.offset = offset
        self.line = line
        self.column = column
    }
}
