import Foundation
import Server
import TestFixtures
import Testing

/// Files that commands write.
struct TextFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file(name), encoding: .utf8)
    }

    @Test func `a file is replaced, and nothing else is left`() throws {
        try TextFile.replace(folder.file("a"), with: "old")
        try TextFile.replace(folder.file("a"), with: "new")
        #expect(try text("a") == "new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
    }

    @Test(arguments: [true, false])
    func `a link stays, and its file gets the text`(exists: Bool) throws {
        if exists { try TextFile.replace(folder.file("a"), with: "old") }
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "a")
        try TextFile.replace(folder.file("link"), with: "new")
        #expect(try text("a") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "a")
    }

    @Test func `a pipe stays a pipe and is written to`() throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try TextFile.replace(path, with: "new")
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 3)
        #expect(bytes.starts(with: "new".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.type] as? FileAttributeType != .typeRegular)
    }

    @Test func `what cannot be written is named`() throws {
        let error = #expect(throws: TextFile.Failure.self) { try TextFile.replace(folder.path, with: "new") }
        #expect(error?.description.hasPrefix(folder.path + ": ") == true)
    }

    @Test func `a terminal is shown control characters as pictures`() {
        #expect(StandardStream.withoutControls("a\tb\n\u{1B}]0;x\u{7}\u{7F}\u{9B}ü😀") == "a\tb\n␛]0;x␇␡\u{FFFD}ü😀")
    }
}
