import Foundation
import Locking

@testable import TLS

/// A TLS server on 127.0.0.0/8 for programs from outside: accepts a number of connections one after the other, answers "ok"
/// and ends each politely. It waits for descriptors, never for time.
final class LoopbackServer: Sendable {
    /// What was seen of a connection.
    struct Visit: Sendable {
        var failure: TLSFailure?
        var nameProblem: String?
        var serverName: String?
        var alpn: String?
        var version = ""
        var isResumed = false
        var certificate: PeerCertificate?
    }

    let port: UInt16
    private let listener: Int32
    private let visits = Lock<[Visit]>([])
    private let done = DispatchSemaphore(value: 0)

    init(_ context: TLSContext, connections: Int) throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(descriptor, name, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, name, &length) == 0
            }
        }
        guard isBound else { throw TLSError("cannot listen: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { self.serve(context, connections) }
    }

    /// What was seen of all connections; waits for the last.
    func finish() -> [Visit] {
        done.wait()
        return visits.withLock { $0 }
    }

    private func serve(_ context: TLSContext, _ count: Int) {
        for _ in 0..<count {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let visit = Self.talk(context, descriptor)
            visits.withLock { $0.append(visit) }
            close(descriptor)
        }
        close(listener)
        done.signal()
    }

    private static func talk(_ context: TLSContext, _ descriptor: Int32) -> Visit {
        var visit = Visit()
        guard let session = try? TLSSession(server: context, descriptor: descriptor) else { return visit }
        visit.failure = complete(descriptor) { session.handshake() }
        visit.nameProblem = session.nameProblem
        visit.serverName = session.serverName
        visit.alpn = session.alpn
        visit.version = session.version
        visit.isResumed = session.isResumed
        visit.certificate = session.peerCertificate
        guard visit.failure == nil else { return visit }
        _ = session.writeBytes(Array("ok".utf8))
        session.shutdown()
        // Leaves when the client does, so that nothing it sends meets a closed socket.
        var buffer = [UInt8](repeating: 0, count: 1000)
        var isOpen = true
        while isOpen {
            isOpen = false
            _ = complete(descriptor) {
                let outcome = buffer.withUnsafeMutableBytes { session.read(into: $0) }
                if case .done = outcome { isOpen = true }
                return outcome
            }
        }
        return visit
    }

    private static func complete(_ descriptor: Int32, _ step: () -> TLSSession.Outcome) -> TLSFailure? {
        while true {
            switch step() {
            case .done, .closed: return nil
            case .failed(let failure): return failure
            case .wantsRead: wait(descriptor, Int16(POLLIN))
            case .wantsWrite: wait(descriptor, Int16(POLLOUT))
            }
        }
    }

    private static func wait(_ descriptor: Int32, _ events: Int16) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
