#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Small files, read and written whole.
package enum TextFile {
    /// A file that cannot be read or written: "certs/ca.pem: No such file or directory".
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
        package let errorNumber: Int32

        /// Whether there is no such file.
        package var isMissing: Bool { errorNumber == ENOENT }
        /// Whether the file, or a line of it, is longer than may be.
        package var isTooLarge: Bool { errorNumber == EFBIG }

        init(path: String, _ errorNumber: Int32 = errno) {
            self.errorNumber = errorNumber
            description = "\(path): \(unsafe String(cString: strerror(errorNumber)))"
        }
    }

    /// How large a file may be: keys, certificates, payloads.
    package static let maxBytes = 8 << 20

    /// All bytes of a file; of standard input for "-".
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path) }
        defer { if descriptor != 0 { _ = close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(path: path)
            }
            bytes.append(contentsOf: piece[..<count])
            if bytes.count > maxBytes { throw Failure(path: path, EFBIG) }
        }
    }

    /// Whether there is something at the path.
    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Puts the text in the place of a file at once: nobody ever reads half of it. A link stays, and its file is
    /// replaced; what is no file, a pipe or a device, is written to.
    package static func replace(_ path: String, with text: String, mode: UInt32 = 0o644) throws(Failure) {
        try replace(path, with: Array(text.utf8), mode: mode)
    }

    /// The same with bytes.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o644) throws(Failure) {
        guard let file = replaceable(path) else { return try overwrite(path, with: bytes, mode: mode) }
        let temporary = "\(file).\(getpid()).new"
        _ = unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw Failure(path: path) }
        let isWritten = write(bytes, to: descriptor)
        let failed = errno
        _ = close(descriptor)
        guard isWritten else {
            _ = unsafe unlink(temporary)
            throw Failure(path: path, failed)
        }
        guard unsafe rename(temporary, file) == 0 else {
            let failed = errno
            _ = unsafe unlink(temporary)
            throw Failure(path: path, failed)
        }
    }

    /// The file behind the path, links followed, or a path where nothing is; nil for what must not be replaced.
    private static func replaceable(_ path: String) -> String? {
        var facts = stat()
        if unsafe stat(path, &facts) == 0 {
            guard facts.st_mode & S_IFMT == S_IFREG, let real = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
        // A link to nothing is written through, which makes its file.
        return unsafe lstat(path, &facts) == 0 ? nil : path
    }

    private static func overwrite(_ path: String, with bytes: [UInt8], mode: UInt32) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw Failure(path: path) }
        let isWritten = write(bytes, to: descriptor)
        let failed = errno
        _ = close(descriptor)
        guard isWritten else { throw Failure(path: path, failed) }
    }

    /// Whether there is something at the path that is neither file nor folder: a FIFO, a device, a socket.
    package static func isStream(_ path: String) -> Bool {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT != S_IFREG && facts.st_mode & S_IFMT != S_IFDIR
    }

    /// Whether the descriptor is open for writing.
    package static func isWritable(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }

    /// Writes all of the text; false when that fails.
    package static func write(_ text: String, to descriptor: Int32) -> Bool {
        write(Array(text.utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The path from the root, for readers that stand elsewhere.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let here = unsafe getcwd(buffer.baseAddress, buffer.count) else { return path }
            return "\(unsafe String(cString: here))/\(path)"
        }
    }
}

/// `read(2)`, likewise.
func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, bytes.baseAddress, bytes.count)
}

/// `write(2)`, under a name that does not hide behind methods of the same name.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
