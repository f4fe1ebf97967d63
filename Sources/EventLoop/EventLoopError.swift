#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A failed system call, with the words for people.
package struct EventLoopError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried: "bind 127.0.0.1:2197".
    package let action: String
    /// The system's error number.
    package let errorNumber: Int32
    /// What is said instead of the system's words, if these do not fit.
    package let words: String?

    /// "bind 127.0.0.1:2197: Address already in use".
    package var description: String {
        if let words { return "\(action): \(words)" }
        guard let words = unsafe strerror(errorNumber) else { return "\(action): error \(errorNumber)" }
        return unsafe "\(action): \(String(cString: words))"
    }

    /// An error whose number is known.
    package init(action: String, errorNumber: Int32, words: String? = nil) {
        self.action = action
        self.errorNumber = errorNumber
        self.words = words
    }
}

extension EventLoopError {
    /// The system call that failed just now.
    static func last(_ action: String) -> EventLoopError {
        EventLoopError(action: action, errorNumber: errno)
    }
}
