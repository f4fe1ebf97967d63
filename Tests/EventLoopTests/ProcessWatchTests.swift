import EventLoop
import Foundation
import Testing

struct ProcessWatchTests {
    @Test func `the end of a process is told once`() throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/cat")
        let input = Pipe()
        child.standardInput = input
        try child.run()
        let loop = try EventLoop()
        var calls = 0
        let watch = try loop.onExit(ofProcess: child.processIdentifier) {
            calls += 1
            loop.stop()
        }
        #expect(calls == 0)
        try input.fileHandleForWriting.close()
        loop.run()
        #expect(calls == 1)
        withExtendedLifetime(watch) {}
    }

    @Test func `a process that is gone already is told at once`() throws {
        let loop = try EventLoop()
        var calls = 0
        // No process has this number: it is above the largest that Linux and macOS give.
        let watch = try loop.onExit(ofProcess: .max) { calls += 1 }
        #expect(calls == 1)
        withExtendedLifetime(watch) {}
    }
}
