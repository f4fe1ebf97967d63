import Foundation
import Testing

@testable import EventLoop

struct ListenerTests {
    @Test(arguments: ["127.0.0.1:0", "[::1]:0", "localhost:0"])
    func `connections are accepted at the real port`(text: String) throws {
        let wanted = try #require(SocketAddress(text))
        var client: Int32 = -1
        try runLoop { loop in
            var listener: Listener?
            listener = try Listener(wanted, on: loop) { descriptor, peer in
                #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                var noDelay: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                #expect(getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, &size) == 0)
                #expect(noDelay != 0)
                let peerAddress = SocketAddress(peer)
                #expect(peerAddress?.host == wanted.host)
                #expect(peerAddress?.port != listener?.address.port)
                close(descriptor)
                listener?.close()
                listener?.close()
                loop.stop()
            }
            let address = try #require(listener?.address)
            #expect(address.port != 0)
            #expect(address.host == wanted.host)
            client = try connectSocket(address)
        }
        close(client)
    }

    @Test func `a taken address is named`() throws {
        let loop = try EventLoop()
        let first = try Listener(.ip(host: "127.0.0.1", port: 0), on: loop) { _, _ in }
        let port = try #require(first.address.port)
        #expect {
            _ = try Listener(first.address, on: loop) { _, _ in }
        } throws: { error in
            "\(error)" == "bind 127.0.0.1:\(port): Address already in use"
                && (error as? EventLoopError)?.errorNumber == EADDRINUSE
        }
        first.close()
        // After close() the port is free at once.
        let second = try Listener(first.address, on: loop) { _, _ in }
        second.close()
    }

    @Test func `a foreign address is named`() throws {
        let loop = try EventLoop()
        #expect {
            _ = try Listener(.ip(host: "192.0.2.1", port: 80), on: loop) { _, _ in }
        } throws: {
            "\($0)" == "bind 192.0.2.1:80: Cannot assign requested address"
        }
        #expect {
            _ = try Listener(.ip(host: "example.com", port: 80), on: loop) { _, _ in }
        } throws: {
            "\($0)" == "bind example.com:80: Invalid argument"
        }
    }

    @Test func `a Unix socket's file ends with its listener`() throws {
        let directory = try TemporaryDirectory()
        let address = SocketAddress.unix(path: directory.path + "/s")
        var client: Int32 = -1
        try runLoop { loop in
            var listener: Listener?
            listener = try Listener(address, on: loop) { descriptor, peer in
                #expect(peer == "unix")
                close(descriptor)
                listener?.close()
                loop.stop()
            }
            #expect(listener?.address == address)
            client = try connectSocket(address)
        }
        close(client)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/s"))
    }

    @Test func `a dead Unix socket is replaced, a living one is not`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let system = try #require(SystemAddress(.unix(path: path)))
        let dead = socket(AF_UNIX, streamType, 0)
        #expect(system.withSystemPointer { bind(dead, $0, $1) } == 0)
        close(dead)
        #expect(FileManager.default.fileExists(atPath: path))
        let loop = try EventLoop()
        let first = try Listener(.unix(path: path), on: loop) { _, _ in }
        #expect {
            _ = try Listener(.unix(path: path), on: loop) { _, _ in }
        } throws: {
            "\($0)" == "bind unix:\(path): Address already in use"
        }
        #expect(FileManager.default.fileExists(atPath: path))
        first.close()
    }

    @Test func `another file at a Unix socket's path is left alone`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        let loop = try EventLoop()
        #expect {
            _ = try Listener(.unix(path: path), on: loop) { _, _ in }
        } throws: {
            ($0 as? EventLoopError)?.errorNumber == EADDRINUSE
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        // The file that took the place of ours is not removed either.
        let other = directory.path + "/t"
        let listener = try Listener(.unix(path: other), on: loop) { _, _ in }
        try FileManager.default.removeItem(atPath: other)
        try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
        listener.close()
        #expect(FileManager.default.fileExists(atPath: other))
    }

    @Test func `a path too long is said`() throws {
        let loop = try EventLoop()
        #expect {
            _ = try Listener(.unix(path: "/" + String(repeating: "a", count: 200)), on: loop) { _, _ in }
        } throws: {
            ($0 as? EventLoopError)?.errorNumber == ENAMETOOLONG
        }
    }

    @Test func `more connections than one turn takes are all accepted`() throws {
        let count = Listener.connectionsPerTurn * 2 + 3
        var clients: [Int32] = []
        var accepted = 0
        try runLoop { loop in
            var listener: Listener?
            listener = try Listener(.ip(host: "127.0.0.1", port: 0), on: loop) { descriptor, _ in
                close(descriptor)
                accepted += 1
                guard accepted == count else { return }
                listener?.close()
                loop.stop()
            }
            let address = try #require(listener?.address)
            for _ in 0..<count { clients.append(try connectSocket(address)) }
        }
        #expect(accepted == count)
        for client in clients { close(client) }
    }

    @Test func `a released listener accepts no more`() throws {
        var client: Int32 = -1
        var timer: LoopTimer?
        try runLoop { loop in
            var listener: Listener? = try Listener(.ip(host: "127.0.0.1", port: 0), on: loop) { _, _ in
                Issue.record("accepted")
            }
            client = try connectSocket(try #require(listener?.address))
            listener = nil
            _ = listener
            timer = try loop.after(milliseconds: 5) { loop.stop() }
        }
        close(client)
        _ = timer
    }

    /// In a process of its own, as the limit of open files is the process's.
    @Test func `no descriptors left pauses accepting and ends when there are some`() async {
        await #expect(processExitsWith: .success) {
            var timer: LoopTimer?
            try runLoop { loop in
                var spare: [Int32] = []
                var reports = 0
                var listener: Listener?
                listener = try Listener(.ip(host: "127.0.0.1", port: 0), on: loop) { descriptor, _ in
                    guard reports == 1, spare.isEmpty else { exit(2) }
                    close(descriptor)
                    listener?.close()
                    loop.stop()
                }
                let start = EventLoop.monotonicMilliseconds()
                listener?.onPause = { error in
                    guard error.errorNumber == EMFILE, "\(error)".hasPrefix("accept on 127.0.0.1:") else { exit(3) }
                    reports += 1
                }
                timer = try loop.after(milliseconds: Listener.pauseMilliseconds * 2) {
                    // No more attempts than pauses that fit into the time: the loop did not spin.
                    let passed = EventLoop.monotonicMilliseconds() - start
                    guard let pauses = listener?.pauses, pauses >= 1, pauses <= passed / Listener.pauseMilliseconds + 1
                    else { exit(4) }
                    for descriptor in spare { close(descriptor) }
                    spare = []
                }
                _ = try connectSocket(try #require(listener?.address))
                spare = useUpDescriptors()
            }
            timer?.cancel()
        }
    }
}
