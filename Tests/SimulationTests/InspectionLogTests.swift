import Foundation
import Locking
import Simulation
import Testing

struct InspectionLogTests {
    private func append(_ text: String, to log: InspectionLog) -> Bool {
        log.append(Array(text.utf8))
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `a new file is made for its owner alone`() throws {
        let path = try JournalFixture.path()
        let log = try InspectionLog(path: path)
        #expect(append("{\"id\":1}\n", to: log))
        #expect(append("{\"id\":2}\n", to: log))
        #expect(try text(path) == "{\"id\":1}\n{\"id\":2}\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(log.cutBytes == 0 && log.failure == nil)
    }

    @Test(arguments: [
        ("", "", 0),
        ("{\"id\":1}\n", "{\"id\":1}\n", 0),
        ("{\"id\":1}\n{\"id", "{\"id\":1}\n", 4),
        ("{\"id\":1}\ngarbage", "{\"id\":1}\n", 7),
        ("{\"id\":1}\n\n", "{\"id\":1}\n\n", 0),
        ("{\"id\":1", "", 7),
        ("{", "", 1),
    ])
    func `an unfinished last line is cut off`(before: String, after: String, cut: Int) throws {
        let path = try JournalFixture.path()
        try Data(before.utf8).write(to: URL(fileURLWithPath: path))
        let log = try InspectionLog(path: path)
        #expect(log.cutBytes == cut)
        #expect(append("{}\n", to: log))
        #expect(try text(path) == after + "{}\n")
    }

    @Test(arguments: [1, 65_535, 65_536, 65_537, 200_000])
    func `an unfinished last line may be longer than what is read at a time`(length: Int) throws {
        let path = try JournalFixture.path()
        let tail = String(repeating: "x", count: length)
        try Data(("{\"id\":1}\n" + tail).utf8).write(to: URL(fileURLWithPath: path))
        #expect(try InspectionLog(path: path).cutBytes == length)
        #expect(try text(path) == "{\"id\":1}\n")
    }

    @Test func `a file that is no inspection log is left alone`() throws {
        let path = try JournalFixture.path("notes.txt")
        try Data("my notes\nwithout an end".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: InspectionLog.OpenError.self) { _ = try InspectionLog(path: path) }
        #expect(error?.message.contains("notes.txt: it exists and is no inspection log") == true)
        #expect(error?.message.contains("--log") == true)
        #expect(try text(path) == "my notes\nwithout an end")
    }

    @Test func `while another server writes to the file its end is not cut`() throws {
        let path = try JournalFixture.path()
        let first = try InspectionLog(path: path)
        #expect(append("{\"id\":1}\n{\"id\":2", to: first))
        let second = try InspectionLog(path: path)
        #expect(second.cutBytes == 0 && second.isShared && !first.isShared)
        #expect(append("}\n", to: first))
        #expect(append("{\"id\":3}\n", to: second))
        #expect(try text(path) == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
    }

    @Test func `a directory and a missing directory are errors in words`() throws {
        let path = try JournalFixture.path("")
        let directory = #expect(throws: InspectionLog.OpenError.self) { _ = try InspectionLog(path: path) }
        #expect(directory?.errorNumber == EISDIR)
        #expect(directory?.message.contains(path) == true)
        let missing = #expect(throws: InspectionLog.OpenError.self) { _ = try InspectionLog(path: path + "no/log") }
        #expect(missing?.errorNumber == ENOENT)
        #expect(missing?.message.contains("No such file or directory") == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a file that may not be written is an error in words`() throws {
        let path = try JournalFixture.path()
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        let error = #expect(throws: InspectionLog.OpenError.self) { _ = try InspectionLog(path: path) }
        #expect(error?.errorNumber == EACCES)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has /dev/full"))
    func `a device without room is a failure that names the file`() throws {
        let log = try InspectionLog(path: "/dev/full")
        #expect(!append("{}\n", to: log))
        #expect(!append("{}\n", to: log))
        #expect(log.failure == "/dev/full: No space left on device")
    }

    @Test func `a file that was moved away is made anew within a second`() throws {
        let path = try JournalFixture.path()
        let now = Lock<Int64>(0)
        let log = try InspectionLog(path: path, clock: { now.withLock { $0 } })
        #expect(append("{\"id\":1}\n", to: log))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        #expect(append("{\"id\":2}\n", to: log))
        now.withLock { $0 = InspectionLog.rotationCheckInterval }
        #expect(append("{\"id\":3}\n", to: log))
        #expect(try text(path + ".1") == "{\"id\":1}\n{\"id\":2}\n")
        #expect(try text(path) == "{\"id\":3}\n")
        try FileManager.default.removeItem(atPath: path)
        now.withLock { $0 += InspectionLog.rotationCheckInterval }
        #expect(append("{\"id\":4}\n", to: log))
        #expect(try text(path) == "{\"id\":4}\n")
    }

    @Test func `a file that cannot be made anew is a failure until it can`() throws {
        let path = try JournalFixture.path()
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        let now = Lock<Int64>(0)
        let log = try InspectionLog(path: path, clock: { now.withLock { $0 } })
        try FileManager.default.removeItem(at: directory)
        now.withLock { $0 = InspectionLog.rotationCheckInterval }
        #expect(!append("{\"id\":1}\n", to: log))
        #expect(log.failure == "\(path): No such file or directory")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        #expect(append("{\"id\":2}\n", to: log))
        #expect(log.failure == nil)
        #expect(try text(path) == "{\"id\":2}\n")
    }

    @Test func `lines that were flushed to the disk are there`() throws {
        let path = try JournalFixture.path()
        let log = try InspectionLog(path: path, syncs: true)
        #expect(append("{\"id\":1}\n", to: log))
        #expect(try text(path) == "{\"id\":1}\n")
    }

    // MARK: No room

    @Test(.enabled(if: TinyDisk.isAvailable, "needs root and tmpfs"))
    func `on a full disk no half line stays, and the log goes on when there is room`() throws {
        let disk = try TinyDisk()
        let path = disk.path + "/inspection.ndjson"
        let filler = disk.path + "/filler"
        let log = try InspectionLog(path: path)
        #expect(append("{\"id\":1}\n", to: log))
        try Data(count: TinyDisk.size - 2 * 4096).write(to: URL(fileURLWithPath: filler))
        // One page is left, and this needs three: a part of it is written and must go again.
        let long = "{\"id\":\"" + String(repeating: "2", count: 10_000) + "\"}\n"
        #expect(!append(long, to: log))
        #expect(log.failure == "\(path): No space left on device")
        #expect(try text(path) == "{\"id\":1}\n")
        #expect(append("{\"id\":3}\n", to: log))
        #expect(log.failure == nil)
        #expect(!append(long, to: log))
        try FileManager.default.removeItem(atPath: filler)
        #expect(append(long, to: log))
        #expect(log.failure == nil)
        #expect(try text(path) == "{\"id\":1}\n{\"id\":3}\n" + long)
    }

    @Test(.enabled(if: TinyDisk.isAvailable, "needs root and tmpfs"))
    func `on a full disk the journal keeps nothing and uses no number`() throws {
        let disk = try TinyDisk()
        let path = disk.path + "/inspection.ndjson"
        let journal = JournalFixture.journal(log: try InspectionLog(path: path))
        var kept: UInt64 = 0
        while journal.commit((0..<8).map { _ in JournalFixture.entry() }) > 0 { kept += 8 }
        #expect(kept > 0)
        #expect(journal.cursor == kept)
        #expect(try JournalFixture.lines(path).compactMap { $0["seq"] as? UInt64 } == Array(1...kept))
        #expect(try text(path).hasSuffix("}\n"))
        #expect(journal.logFailure == "\(path): No space left on device")
    }

    @Test func `at the limit of a file's size the process lives on and no half line stays`() throws {
        // The limit holds for the whole process, so it is one that no other test comes near: the file is a hole but for its
        // begin and end.
        let limit: rlim_t = 1 << 40
        var before = rlimit()
        #expect(getrlimit(fileSizeLimit, &before) == 0)
        var lowered = rlimit(rlim_cur: limit, rlim_max: before.rlim_max)
        #expect(setrlimit(fileSizeLimit, &lowered) == 0)
        defer { setrlimit(fileSizeLimit, &before) }
        let path = try JournalFixture.path()
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        #expect(pwrite(descriptor, "{", 1, 0) == 1)
        #expect(pwrite(descriptor, "\n", 1, off_t(limit) - 20) == 1)
        let log = try InspectionLog(path: path)
        #expect(append("{\"id\":1}\n", to: log))
        #expect(!append("{\"id\":2,\"more\":3}\n", to: log))
        #expect(log.failure == "\(path): File too large")
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        #expect(status.st_size == off_t(limit) - 10)
        #expect(append("{\"i\":3}\n", to: log))
        #expect(log.failure == nil)
    }

    #if canImport(Glibc)
    private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    private let fileSizeLimit = RLIMIT_FSIZE
    #endif
}
