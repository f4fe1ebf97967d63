#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads small files whole.
enum FileBytes {
    /// Certificates and keys are far smaller; whatever is larger was named by mistake.
    static let maximum = 1 << 20

    /// What came of reading.
    enum Outcome {
        case bytes([UInt8], mode: mode_t)
        case missing
        case failed(String)
    }

    /// The file's bytes and mode; does not wait for pipes and devices.
    static func read(_ path: String) -> Outcome {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .missing : .failed(SystemError.text(errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return .failed(SystemError.text(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failed("not a file") }
        guard status.st_size <= maximum else { return .failed("\(status.st_size) bytes, more than \(maximum)") }
        return read(descriptor, expecting: Int(status.st_size), mode: status.st_mode & 0o7777)
    }

    private static func read(_ descriptor: Int32, expecting size: Int, mode: mode_t) -> Outcome {
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let step = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe readDescriptor(descriptor, buffer.baseAddress.map { unsafe $0 + count }, room)
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { return .failed(SystemError.text(errno)) }
            if step == 0 { break }
            count += step
            if count == bytes.count, count <= maximum { bytes += [UInt8](repeating: 0, count: count) }
        }
        return .bytes(Array(bytes.prefix(count)), mode: mode)
    }
}

/// read(2) under a name that does not meet the methods above.
private func readDescriptor(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
