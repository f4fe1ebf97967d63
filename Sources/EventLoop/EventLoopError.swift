/// A failed system call, with the words for people.
package struct EventLoopError: Error, Sendable, CustomStringConvertible {
    /// What was tried: "bind 127.0.0.1:2197".
    package let action: String
    /// The system's error number.
    package let errorNumber: Int32
    /// "bind 127.0.0.1:2197: Address already in use".
    package var description: String { fatalError("contract") }

    package init(action: String, errorNumber: Int32) {
        self.action = action
        self.errorNumber = errorNumber
    }
}
