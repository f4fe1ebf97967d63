#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output and standard error without the C library's buffers.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes all of the text; false when the stream is closed.
    @discardableResult
    package func write(_ text: String) -> Bool {
        TextFile.write(text, to: rawValue)
    }

    /// Whether a person looks at the stream.
    package var isTerminal: Bool { isatty(rawValue) == 1 }
}
