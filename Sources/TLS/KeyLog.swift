#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of session secrets in the NSS key log format, as SSLKEYLOGFILE names it; Wireshark reads it.
final class KeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file for appending; it is readable by its owner only.
    init(_ path: String) throws(TLSError) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TLSError("\(path): cannot write the key log: \(SystemError.text(errno)); choose another path")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Appends a line by one write, so that threads do not mix theirs. A line that cannot be written is lost.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}
