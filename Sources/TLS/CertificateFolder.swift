#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files of a folder of certificates. Every file comes into being whole: written under another name, then linked or renamed.
/// While an object of this type lives, other processes that use one for the same folder wait.
final class CertificateFolder {
    /// Who may read a file.
    enum Privacy {
        case ownerOnly
        case everybody

        var mode: mode_t { self == .ownerOnly ? 0o600 : 0o644 }
    }

    /// Names of files in the making begin and end so.
    private static let temporaryPrefix = ".mock-apns-"
    private static let temporarySuffix = ".tmp"

    /// The folder's path as given.
    let path: String
    private let descriptor: Int32
    /// File systems without locks exist; then linking alone keeps two processes apart.
    private let isLocked: Bool

    /// Opens the folder and waits for its lock; makes it, for its owner only, when it is missing. `locks` false is what a file
    /// system without locks gives.
    init(_ path: String, locks: Bool = true) throws(TLSError) {
        self.path = path
        try Self.makeDirectory(path)
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TLSError("\(path): cannot open the folder of certificates: \(SystemError.text(errno)); check --certs")
        }
        isLocked = locks && Self.lock(descriptor)
    }

    deinit {
        // Closing gives up the lock.
        if descriptor >= 0 { close(descriptor) }
    }

    /// The path of a file in it.
    func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

    /// The file when it is there.
    func read(_ name: String) throws(TLSError) -> (file: PEMFile, mode: UInt32)? {
        let source = path(of: name)
        switch FileBytes.read(source) {
        case .bytes(let bytes, let mode): return (PEMFile(bytes: bytes, source: source), UInt32(mode))
        case .missing: return nil
        case .failed(let words): throw TLSError("\(source): cannot be read: \(words)")
        }
    }

    /// Makes a file that must not be there yet; false when it is, then it stays as it is.
    func create(_ name: String, _ text: String, _ privacy: Privacy) throws(TLSError) -> Bool {
        let temporary = try writeTemporary(for: name, Array(text.utf8), privacy)
        defer { unsafe unlink(temporary) }
        if unsafe link(temporary, path(of: name)) == 0 { return true }
        if errno == EEXIST { return false }
        // Some file systems have no links.
        guard unsafe access(path(of: name), F_OK) != 0 else { return false }
        guard unsafe rename(temporary, path(of: name)) == 0 else { throw cannotWrite(name) }
        return true
    }

    /// Makes a file in place of the one that is there.
    func replace(_ name: String, _ text: String, _ privacy: Privacy) throws(TLSError) {
        try replace(name, Array(text.utf8), privacy)
    }

    /// The same with bytes.
    func replace(_ name: String, _ bytes: [UInt8], _ privacy: Privacy) throws(TLSError) {
        let temporary = try writeTemporary(for: name, bytes, privacy)
        guard unsafe rename(temporary, path(of: name)) == 0 else {
            let error = cannotWrite(name)
            unsafe unlink(temporary)
            throw error
        }
    }

    /// The names of all files in order; also removes what a crash has left.
    func list() -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee))
                {
                    unsafe String(cString: $0)
                }
            }
            if name.hasPrefix(Self.temporaryPrefix), name.hasSuffix(Self.temporarySuffix) {
                if isLocked { unsafe unlink(path(of: name)) }
            } else {
                names.append(name)
            }
        }
        return names.sorted()
    }

    private func writeTemporary(
        for name: String, _ bytes: [UInt8], _ privacy: Privacy
    ) throws(TLSError) -> String {
        let suffix = Hexadecimal.text(SecureRandom.bytes(8)) + Self.temporarySuffix
        let temporary = path(of: "\(Self.temporaryPrefix)\(name)-\(suffix)")
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, privacy.mode)
        guard descriptor >= 0 else { throw cannotWrite(name) }
        // What everybody may read stays so under any umask.
        let isDone =
            writeAll(descriptor, bytes) && fchmod(descriptor, privacy.mode) == 0 && fsync(descriptor) == 0
        let error = isDone ? nil : cannotWrite(name)
        close(descriptor)
        if let error {
            unsafe unlink(temporary)
            throw error
        }
        return temporary
    }

    private func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func cannotWrite(_ name: String) -> TLSError {
        TLSError(
            "\(path(of: name)): cannot be written: \(SystemError.text(errno)); "
                + "make \(path) writable, or choose another folder with --certs")
    }

    private static func lock(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Makes the folder and those above it.
    private static func makeDirectory(_ path: String) throws(TLSError) {
        guard !path.isEmpty else { throw TLSError("--certs \"\": expected the path of a folder") }
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeDirectory(String(path[..<slash]))
            if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw TLSError("\(path): cannot make the folder of certificates: \(SystemError.text(errno)); check --certs")
    }
}
