#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder that lasts as long as this object; it holds files only.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/mock-apns-XXXXXX".utf8CString)
        path = try unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else {
                throw MockAPNS.Failure("cannot make a temporary folder in \(base)")
            }
            return unsafe String(cString: made)
        }
    }

    deinit {
        guard let directory = unsafe opendir(path) else { return }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        _ = unsafe closedir(directory)
        for name in names { _ = unsafe unlink("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}
