import Admin
import EventLoop
import Foundation
import Locking
import Simulation

/// The admin API on a thread and a port of its own.
final class LiveAdmin: Sendable {
    let simulator: Simulator
    let port: UInt16
    let thread: LoopThread
    let server: LoopBound<AdminServer>
    /// What the environment was told of calls: true for each that began, false for each that ended.
    final class Uses: Sendable {
        let told = Lock<[Bool]>([])
    }

    let uses = Uses()
    var journal: Journal { simulator.journal }

    init(limits: Journal.Limits = Journal.Limits(), adminToken: String? = nil) throws {
        let simulator = Simulator(
            configuration: Simulator.Configuration(),
            journal: Journal(
                limits: limits, log: nil, renderer: EntryRenderer(instance: "live", adminBase: nil)),
            keys: KeyStore([]), clock: ServerClock())
        self.simulator = simulator
        var environment = AdminEnvironment(
            info: {
                var info = AdminEnvironment.Info()
                info.instance = "live"
                return info
            }, waitingFor: { [] }, shutdown: {}, adminToken: adminToken)
        environment.use = { [uses] isBegin in uses.told.withLock { $0.append(isBegin) } }
        let made = Lock<(LoopBound<AdminServer>, UInt16)?>(nil)
        thread = try LoopThread(name: "admin") { [environment] loop in
            let server = try AdminServer(
                .ip(host: "127.0.0.1", port: 0), on: loop, simulator: simulator, environment: environment)
            made.withLock { $0 = (LoopBound(server, on: loop), server.address.port ?? 0) }
        }
        guard let (server, port) = made.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
        self.server = server
        self.port = port
    }

    /// Stops as the server does: waits are answered, answers go out, the thread ends.
    func stop() {
        thread.mailbox.post { [server] loop in
            server.value.close { loop.stop() }
        }
        thread.join()
    }

    /// Returns when so many calls wait.
    func awaitWaiters(_ count: Int) {
        let gate = DispatchSemaphore(value: 0)
        thread.mailbox.post { [server] _ in server.value.testsOnlyWhen(waiters: count) { gate.signal() } }
        gate.wait()
    }

    /// How many calls wait, seen from the loop.
    var waiters: Int { onLoop { $0.waiters } }

    /// How many guests read events, seen from the loop.
    var readers: Int { onLoop { $0.readers } }

    private func onLoop(_ body: @escaping @Sendable (AdminServer) -> Int) -> Int {
        let gate = DispatchSemaphore(value: 0)
        let count = Lock(0)
        thread.mailbox.post { [server] _ in
            count.withLock { $0 = body(server.value) }
            gate.signal()
        }
        gate.wait()
        return count.withLock { $0 }
    }
}

/// A guest with a plain socket, so that a test sees the bytes.
final class RawGuest {
    private let descriptor: Int32

    struct Response {
        var status = 0
        var head = ""
        var body: [UInt8] = []

        var object: [String: Any] {
            ((try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]) ?? [:]
        }

        var items: [[String: Any]] { object["items"] as? [[String: Any]] ?? [] }
    }

    init(port: UInt16) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
        // Only so that a broken server fails the test instead of hanging it.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends a request.
    func send(_ target: String, method: String = "GET", fields: String = "", body: String = "") {
        write(
            "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)"
                + (body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n") + "\r\n" + body)
    }

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Says that no more requests come.
    func finish() {
        #if canImport(Glibc)
        shutdown(descriptor, Int32(SHUT_WR))
        #else
        shutdown(descriptor, SHUT_WR)
        #endif
    }

    /// Reads one answer; status 0 when the connection ended instead.
    func receive(isHead: Bool = false) -> Response {
        var response = Response()
        var bytes: [UInt8] = []
        var end: Int?
        while end == nil, let piece = read() {
            bytes += piece
            end = bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }
        }
        guard let end else { return response }
        response.head = String(decoding: bytes[..<end], as: UTF8.self)
        response.status = Int(response.head.split(separator: " ")[1]) ?? 0
        response.body = Array(bytes[(end + 4)...])
        let length = isHead ? 0 : Int(field("content-length", of: response) ?? "") ?? 0
        while response.body.count < length, let piece = read() { response.body += piece }
        return response
    }

    /// Reads until the text has come, or the connection has ended, and returns all that came.
    func readText(until text: String) -> String {
        var all = ""
        while !all.contains(text), let piece = read() { all += String(decoding: piece, as: UTF8.self) }
        return all
    }

    /// Reads lines and hands each on, without its line feed, until `body` returns true or the connection ends.
    func readLines(until body: (ArraySlice<UInt8>) -> Bool) {
        var rest: [UInt8] = []
        while let piece = read() {
            var lines = (rest + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.removeLast())
            for line in lines where body(line) { return }
        }
    }

    /// Whether the server has closed the connection and sent nothing more.
    func isAtEnd() -> Bool { read() == nil }

    func field(_ name: String, of response: Response) -> String? {
        for line in response.head.split(separator: "\r\n").dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            if halves[0].lowercased() == name { return halves[1].trimmingCharacters(in: .whitespaces) }
        }
        return nil
    }

    private func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
