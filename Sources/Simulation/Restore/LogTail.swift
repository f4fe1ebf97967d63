#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lines of a file from the last to the first, so that the end of a large log is read and nothing else of it.
struct LogTail: ~Copyable {
    /// A whole line without its line break.
    struct Line {
        let bytes: [UInt8]
        /// Where it begins in the file.
        let offset: Int
    }

    /// How much is read at a time.
    static let blockSize = 256 << 10
    /// How long a line may be; of a longer one the first line break before it is looked for, and it is said to be broken.
    static let lineLimit = 4 << 20
    /// How far from the begin of a file lines are counted to tell the number of one.
    static let countingLimit = 64 << 20

    private let descriptor: CInt
    /// What was read and not handed out: the file's bytes from `start` on, up to the end of a line.
    private var pending: [UInt8] = []
    private var start: Int
    /// How much of the file was read.
    private(set) var bytesRead = 0

    /// Opens a file; an end without a line break is left out. Nil when it is no regular file or cannot be read.
    init?(path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        start = Int(status.st_size)
        _ = previous()
    }

    deinit {
        close(descriptor)
    }

    /// The line before those that were handed out; nil at the begin of the file. Too long a line has no bytes.
    mutating func previous() -> Line? {
        var isTooLong = false
        while true {
            if let lineBreak = pending.lastIndex(of: UInt8(ascii: "\n")) {
                let line = Line(
                    bytes: isTooLong ? [] : Array(pending[(lineBreak + 1)...]), offset: start + lineBreak + 1)
                pending.removeSubrange(lineBreak...)
                return line
            }
            if pending.count > Self.lineLimit {
                isTooLong = true
                pending = []
            }
            guard start > 0, read() else {
                guard !pending.isEmpty || isTooLong else { return nil }
                defer {
                    pending = []
                    start = 0
                }
                return start == 0 ? Line(bytes: isTooLong ? [] : pending, offset: 0) : nil
            }
        }
    }

    /// Reads the block before what is pending; false when that fails.
    private mutating func read() -> Bool {
        let length = min(Self.blockSize, start)
        var block = [UInt8](repeating: 0, count: length)
        guard unsafe pread(descriptor, &block, length, off_t(start - length)) == length else { return false }
        pending = block + pending
        start -= length
        bytesRead += length
        return true
    }

    /// The number of the line that begins at an offset, from 1; nil when it is too far from the begin of the file.
    func number(ofLineAt offset: Int) -> Int? {
        guard offset <= Self.countingLimit else { return nil }
        var number = 1
        var block = [UInt8](repeating: 0, count: min(Self.blockSize, max(1, offset)))
        var place = 0
        while place < offset {
            let count = unsafe pread(descriptor, &block, min(block.count, offset - place), off_t(place))
            guard count > 0 else { return nil }
            for byte in block[..<count] where byte == UInt8(ascii: "\n") { number += 1 }
            place += count
        }
        return number
    }
}
