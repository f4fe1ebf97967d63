import Locking

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

    /// Writes all of the text; false when that fails, which ``outputFailure`` remembers.
    @discardableResult
    package func write(_ text: String) -> Bool {
        if TextFile.write(text, to: rawValue) { return true }
        let failed = errno
        if self == .output { Self.failure.withLock { $0 = $0 ?? failed } }
        return false
    }

    /// Why standard output could not be written, if that happened; a reader who has enough (`| head -1`) is no failure.
    package static var outputFailure: String? {
        failure.withLock { $0 }.flatMap { $0 == EPIPE ? nil : unsafe String(cString: strerror($0)) }
    }

    private static let failure = Lock<Int32?>(nil)

    /// Writes a text of the server, which may hold what senders sent: a terminal is shown control characters as pictures,
    /// so that no payload can steer it.
    package func show(_ text: String) {
        write(isTerminal ? Self.withoutControls(text) : text)
    }

    /// Line feeds and tabs stay.
    package static func withoutControls(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: shown.append(scalar)
            case 0x00...0x1F: shown.append(Unicode.Scalar(UInt16(0x2400 + scalar.value)) ?? "\u{FFFD}")
            case 0x7F: shown.append("\u{2421}")
            case 0x80...0x9F: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Whether a person looks at the stream.
    package var isTerminal: Bool { isatty(rawValue) == 1 }
}
