import JSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file of whole lines; closed when it goes.
package struct LogFile: ~Copyable {
    /// Why the file cannot be used.
    package struct Failure: Error {
        /// The system's error number; 0 for a file that is not ours to write to.
        let number: Int32
        /// What is wrong: "No space left on device".
        let words: String

        init(number: Int32) {
            self.number = number
            words = unsafe String(cString: strerror(number))
        }

        init(words: String) {
            number = 0
            self.words = words
        }

        /// The sentence for a start that failed.
        func advice(path: String) -> String {
            "cannot write the inspection log \(path): \(words); name another file with --log FILE, or none with --log off"
        }
    }

    /// How far a look for the end of the last whole line goes back at a time.
    private static let blockSize = 64 << 10
    /// How much a pipe may hold for its reader, in bytes; where the system lets us say so.
    private static let pipeBytes: CInt = 1 << 20

    /// What was found when the file was opened.
    private struct Facts {
        /// How many bytes of an unfinished last line were cut off.
        var cutBytes = 0
        /// Whether somebody else had the file open as a log.
        var isShared = false
        /// Lines can be taken back only from a regular file; a pipe or terminal keeps what it got.
        let isRegular: Bool
        let device: UInt64
        let inode: UInt64
    }

    private let facts: Facts
    private let descriptor: CInt
    /// Where a half line lies that could not be taken back yet.
    private var halfLine: Range<off_t>?
    /// The rest of a line that a stream took only a part of; it goes before the next line.
    private var rest: [UInt8] = []

    /// Opens or makes the file and cuts off an unfinished last line.
    init(path: String) throws(Failure) {
        // What is opened for reading too would be its own reader: a FIFO must say when nobody else reads it, at once.
        let isFIFO = Self.isFIFO(path)
        let flags = (isFIFO ? O_WRONLY : O_RDWR) | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw isFIFO && errno == ENXIO
                ? Failure(words: "it is a FIFO that nobody reads; start its reader first") : Failure(number: errno)
        }
        let facts: Facts
        do {
            facts = try Self.prepare(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        // A stream stays non-blocking: who reads it may pause, and pushes must not wait for that.
        if facts.isRegular { _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) } else { Self.widen(descriptor) }
        self.descriptor = descriptor
        self.facts = facts
        halfLine = nil
    }

    /// How many bytes of an unfinished last line were cut off.
    var cutBytes: Int { facts.cutBytes }

    /// Whether another server wrote to the file when it was opened.
    var isShared: Bool { facts.isShared }

    private var isRegular: Bool { facts.isRegular }

    deinit {
        close(descriptor)
    }

    /// Appends whole lines; returns how many bytes of them are written, and why not all. A regular file has all or none.
    mutating func append(_ lines: UnsafeRawBufferPointer, syncs: Bool) -> (written: Int, failure: Failure?) {
        guard isRegular else { return unsafe appendToStream(lines) }
        do throws(Failure) {
            try unsafe appendToFile(lines, syncs: syncs)
            return (lines.count, nil)
        } catch {
            return (0, error)
        }
    }

    /// Lets a stream (FIFO, pipe, terminal) take as many lines as it takes at once. Nobody waits for its reader.
    private mutating func appendToStream(_ lines: UnsafeRawBufferPointer) -> (written: Int, failure: Failure?) {
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Self.put(descriptor, $0) }
            guard count > 0 else { return (0, Self.streamFailure()) }
            rest.removeFirst(count)
        }
        var start = 0
        while start < lines.count {
            let line = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
            let length = unsafe line.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? line.count
            // The kernel takes a line of up to PIPE_BUF bytes as a whole or not at all.
            let count = unsafe Self.put(descriptor, UnsafeRawBufferPointer(rebasing: line[..<length]))
            guard count == length else {
                let failure = count < 0 ? Self.streamFailure() : Failure(number: EAGAIN)
                if count > 0 { unsafe rest = Array(line[count..<length]) }
                return (start, failure)
            }
            start += length
        }
        return (start, nil)
    }

    /// One write, repeated only when a signal interrupted it.
    private static func put(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = unsafe write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    private static func streamFailure() -> Failure {
        switch errno {
        case EAGAIN: Failure(words: "it is full, and nobody reads it at the moment")
        case EPIPE: Failure(words: "nobody reads it any more")
        default: Failure(number: errno)
        }
    }

    private static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Room for the lines of several turns, so that a reader which keeps up is never found behind.
    private static func widen(_ descriptor: CInt) {
        #if os(Linux)
        // F_SETPIPE_SZ, which Swift does not see; without the right to so much the pipe stays as it is.
        _ = fcntl(descriptor, 1031, Self.pipeBytes)
        #endif
    }

    /// Appends all bytes, or leaves the file as it was.
    private mutating func appendToFile(_ lines: UnsafeRawBufferPointer, syncs: Bool) throws(Failure) {
        if let place = halfLine {
            guard remove(place) else { throw Failure(number: errno) }
            halfLine = nil
        }
        var written = 0
        while written < lines.count {
            let count = unsafe write(descriptor, lines.baseAddress.map { unsafe $0 + written }, lines.count - written)
            if count > 0 {
                written += count
                continue
            }
            // A write of nothing without an error would spin; no file system should do it.
            let number = count < 0 ? errno : EIO
            if number == EINTR { continue }
            takeBack(written)
            throw Failure(number: number)
        }
        guard syncs, isRegular else { return }
        guard Self.flush(descriptor) == 0 else {
            let number = errno
            takeBack(written)
            throw Failure(number: number)
        }
    }

    /// Hands what was written to the disk.
    func synchronize() {
        if isRegular { _ = Self.flush(descriptor) }
    }

    /// Whether the path still names this file; also when nobody can say.
    func isStill(at path: String) -> Bool {
        guard isRegular else { return true }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return errno != ENOENT }
        return UInt64(truncatingIfNeeded: status.st_dev) == facts.device
            && UInt64(truncatingIfNeeded: status.st_ino) == facts.inode
    }

    /// Removes the bytes just written, so that no half line stays; what cannot be removed now is removed before the next line.
    private mutating func takeBack(_ count: Int) {
        guard count > 0, isRegular else { return }
        // With O_APPEND the file offset is the end of what this descriptor wrote last.
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= off_t(count) else { return }
        let place = end - off_t(count)..<end
        if !remove(place) { halfLine = place }
    }

    /// Cuts the file at the begin of `place`, if that is its end: what others appended or cut meanwhile is theirs. False when
    /// the file cannot be cut.
    private func remove(_ place: Range<off_t>) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return status.st_size != place.upperBound || ftruncate(descriptor, place.lowerBound) == 0
    }

    private static func flush(_ descriptor: CInt) -> CInt {
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC)
        #else
        fdatasync(descriptor)
        #endif
    }

    /// Milliseconds of a clock that never goes back and is cheap to ask.
    package static func monotonicMilliseconds() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
        unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        #endif
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Turns the signal of a file size limit, which would end the process, into the error EFBIG; a handler of the program's
    /// own stays.
    static func ignoreFileSizeSignal() {
        let handler = signal(SIGXFSZ, SIG_IGN)
        if handler != nil { signal(SIGXFSZ, handler) }
    }
}

/// The end of the file when it is opened.
extension LogFile {
    /// Looks at a file just opened and cuts off an unfinished last line.
    private static func prepare(_ descriptor: CInt) throws(Failure) -> Facts {
        // Alone with the file, we may cut it. While another server writes to it too, an end without a line break may be a
        // line of its that is just being written; each then appends whole lines.
        let isAlone = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
        defer { _ = flock(descriptor, LOCK_SH | LOCK_NB) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Failure(number: errno) }
        var facts = Facts(
            isRegular: status.st_mode & S_IFMT == S_IFREG, device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino))
        facts.isShared = facts.isRegular && !isAlone
        guard facts.isRegular, status.st_size > 0 else { return facts }
        let end = try endOfWholeLines(descriptor, size: status.st_size)
        guard end < status.st_size, isAlone else { return facts }
        if isEntry(descriptor, end..<status.st_size) {
            var lineBreak = UInt8(ascii: "\n")
            guard unsafe write(descriptor, &lineBreak, 1) == 1 else { throw Failure(number: errno) }
            return facts
        }
        guard ftruncate(descriptor, end) == 0 else { throw Failure(number: errno) }
        facts.cutBytes = Int(status.st_size - end)
        return facts
    }

    /// Whether a part of the file is a whole entry, of whose line only the line break is missing: an editor left it out.
    private static func isEntry(_ descriptor: CInt, _ place: Range<off_t>) -> Bool {
        guard place.count <= LogTail.lineLimit else { return false }
        var line = [UInt8](repeating: 0, count: place.count)
        guard unsafe pread(descriptor, &line, line.count, place.lowerBound) == line.count else { return false }
        var document = JSONDocument()
        guard document.parse(line) == nil, let object = EntryObject(document, document.root) else { return false }
        var reader = EntryReader()
        return (try? reader.entry(object)) != nil
    }

    /// The place behind the last whole line. A file that does not begin like a log is refused, since somebody named the wrong
    /// one.
    private static func endOfWholeLines(_ descriptor: CInt, size: off_t) throws(Failure) -> off_t {
        var byte: UInt8 = 0
        guard unsafe pread(descriptor, &byte, 1, 0) == 1 else { throw Failure(number: errno) }
        guard byte == UInt8(ascii: "{") else {
            throw Failure(words: "it exists and is no inspection log, as it does not begin with \"{\"")
        }
        return try endOfLastLine(descriptor, size: size)
    }

    /// The place behind the last line break; 0 when there is none.
    private static func endOfLastLine(_ descriptor: CInt, size: off_t) throws(Failure) -> off_t {
        var block = [UInt8](repeating: 0, count: Int(min(off_t(blockSize), size)))
        var end = size
        while end > 0 {
            let start = max(0, end - off_t(block.count))
            let count = unsafe pread(descriptor, &block, Int(end - start), start)
            guard count == Int(end - start) else { throw Failure(number: count < 0 ? errno : EIO) }
            if let place = block[..<count].lastIndex(of: UInt8(ascii: "\n")) { return start + off_t(place) + 1 }
            end = start
        }
        return 0
    }
}
