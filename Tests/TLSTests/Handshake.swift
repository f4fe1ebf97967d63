import Foundation

@testable import TLS

/// A server and a client session over a socket pair, driven from one thread.
struct Handshake {
    enum End: Equatable {
        case done
        case closed
        case failed(TLSFailure)
        case waiting

        var failure: TLSFailure? {
            if case .failed(let failure) = self { failure } else { nil }
        }
    }

    let sockets: SocketPair
    let server: TLSSession
    let client: TLSSession

    init(
        server context: TLSContext, client clientContext: TLSContext, name: String? = "localhost",
        sendsName: Bool = true
    ) throws {
        sockets = try SocketPair()
        server = try TLSSession(server: context, descriptor: sockets.first)
        client = try TLSSession(
            client: clientContext, descriptor: sockets.second, serverName: name, sendsServerName: sendsName)
    }

    /// Steps both sides until neither can go on. A side that failed closes its socket, as a server would.
    func run() -> (server: End, client: End) {
        var serverEnd = End.waiting
        var clientEnd = End.waiting
        for _ in 0..<50 {
            if clientEnd == .waiting { clientEnd = Self.step(client) }
            if clientEnd != .waiting, clientEnd != .done { sockets.closeSecond() }
            if serverEnd == .waiting { serverEnd = Self.step(server) }
            if serverEnd != .waiting, serverEnd != .done { sockets.closeFirst() }
            if serverEnd != .waiting, clientEnd != .waiting { break }
        }
        return (serverEnd, clientEnd)
    }

    static func step(_ session: TLSSession) -> End {
        switch session.handshake() {
        case .done: .done
        case .closed: .closed
        case .failed(let failure): .failed(failure)
        case .wantsRead, .wantsWrite: .waiting
        }
    }
}

extension TLSSession {
    /// Reads once; nil when nothing came.
    func readBytes(_ count: Int = 20_000) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let outcome = bytes.withUnsafeMutableBytes { read(into: $0) }
        if case .done(let count) = outcome { return Array(bytes.prefix(count)) }
        return nil
    }

    func writeBytes(_ bytes: [UInt8]) -> Int {
        let outcome = bytes.withUnsafeBytes { write($0) }
        if case .done(let count) = outcome { return count }
        return 0
    }
}
