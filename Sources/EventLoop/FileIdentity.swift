#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which file a Unix socket's path named when it was bound, so that nobody else's file is removed later.
struct FileIdentity {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// The socket at the path; nil when there is none, or something that is no socket.
    init?(path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file if it is still the same one.
    func remove() {
        guard let now = FileIdentity(path: path), now.device == device, now.inode == inode else { return }
        _ = unsafe unlink(path)
    }
}
