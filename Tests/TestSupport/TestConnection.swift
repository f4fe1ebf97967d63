package import EventLoop
import Foundation
package import TLS

/// A connection of a test, with TLS or in clear text, that waits for each byte, so that a test reads like a script.
package final class TestConnection {
    /// How the connection is made.
    package struct Options {
        package enum Trust {
            /// Whatever the test server says.
            case server
            case nobody
            case authority(String)
        }

        package var trust = Trust.server
        package var serverName: String? = "localhost"
        package var alpn = ["h2"]
        /// The host to ask a tunnel to, before TLS.
        package var tunnel: String?
        /// The highest version of TLS.
        package var maximum = TLSVersion.tls13
        package var certificate: String?
        package var key: String?
        /// No TLS.
        package var isClearText = false

        package init() {}

        /// The usual options after a change.
        package static func with(_ change: (inout Options) -> Void) -> Options {
            var options = Options()
            change(&options)
            return options
        }
    }

    /// Why a test's peer gives up.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        /// The failure of TLS, when it was one.
        package let tls: TLSFailure?

        package init(_ description: String, _ tls: TLSFailure? = nil) {
            self.description = description
            self.tls = tls
        }
    }

    private let raw: RawConnection
    private let tls: TLSSession?

    /// Connects and finishes the TLS handshake.
    package init(_ address: SocketAddress, _ options: Options) throws {
        raw = try RawConnection(address)
        if let host = options.tunnel {
            let expected = "HTTP/1.1 200 Connection established\r\n\r\n"
            try raw.send("CONNECT \(host):443 HTTP/1.1\r\nHost: \(host):443\r\n\r\n")
            let answer = try raw.receive(upTo: expected.utf8.count)
            guard answer == expected else { throw Failure("tunnel: \(answer)") }
        }
        if options.isClearText {
            tls = nil
            return
        }
        var authority: String?
        if case .authority(let file) = options.trust { authority = file }
        let context = try TLSContext(
            clientTrusting: authority, certificate: options.certificate, key: options.key, alpn: options.alpn,
            maximum: options.maximum)
        let tls = try TLSSession(client: context, descriptor: raw.descriptor, serverName: options.serverName)
        self.tls = tls
        try Self.finish(tls.handshake(), "handshake")
    }

    deinit {
        tls?.shutdown()
    }

    /// Sends all bytes.
    package func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try Self.finish(rest.withUnsafeBytes { step(writing: $0) }, "write"))
        }
    }

    /// Sends bytes until the server has taken none for so long; what it took is removed from `bytes`.
    package func write(_ bytes: inout [UInt8], givingUpAfterMilliseconds patience: Int32) throws {
        raw.isBlocking = false
        defer { raw.isBlocking = true }
        while !bytes.isEmpty {
            switch bytes.withUnsafeBytes({ step(writing: $0) }) {
            case .done(let count): bytes.removeFirst(count)
            case .wantsRead, .wantsWrite:
                if !raw.hasRoom(withinMilliseconds: patience) { return }
            case let other: try Self.finish(other, "write")
            }
        }
    }

    /// Sends and receives, whichever is possible first; what the server took is removed from `bytes`. Returns what came,
    /// nil at the end of the connection.
    package func exchange(_ bytes: inout [UInt8]) throws -> [UInt8]? {
        raw.isBlocking = false
        defer { raw.isBlocking = true }
        while true {
            let before = bytes.count
            if !bytes.isEmpty, case .done(let count) = bytes.withUnsafeBytes({ step(writing: $0) }) {
                bytes.removeFirst(count)
            }
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            switch buffer.withUnsafeMutableBytes({ step(readingInto: $0) }) {
            case .done(let count): return Array(buffer[..<count])
            case .closed: return nil
            case .wantsRead, .wantsWrite:
                if bytes.count < before { return [] }
                guard raw.canGoOn(writing: !bytes.isEmpty) else { throw Failure("the server was silent") }
            case .failed(let failure): throw Failure("\(failure.explanation) (\(failure.detail))", failure)
            }
        }
    }

    /// Waits for bytes or the end; whether the end has come, and was a TCP reset.
    package func isReset() -> Bool {
        raw.isReset()
    }

    /// What came, or did not.
    package enum Arrival {
        case bytes([UInt8])
        /// The connection has ended, whichever way.
        case end
        case nothing
    }

    /// Waits for bytes, but not longer than so.
    package func arrival(withinMilliseconds patience: Int32) throws -> Arrival {
        raw.isBlocking = false
        defer { raw.isBlocking = true }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        for mayWait in [true, false] {
            switch buffer.withUnsafeMutableBytes({ step(readingInto: $0) }) {
            case .done(let count): return .bytes(Array(buffer[..<count]))
            case .closed, .failed: return .end
            case .wantsRead, .wantsWrite:
                guard mayWait, raw.hasBytes(withinMilliseconds: patience) else { return .nothing }
            }
        }
        return .nothing
    }

    /// Waits for bytes; empty at the end of the connection.
    package func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let outcome = buffer.withUnsafeMutableBytes { step(readingInto: $0) }
        if case .closed = outcome { return [] }
        return Array(buffer[..<(try Self.finish(outcome, "read"))])
    }

    /// Says that nothing more will be sent, by close_notify as well when there is TLS and `withNotice`.
    package func endWriting(withNotice: Bool) {
        if withNotice { tls?.shutdown() }
        raw.endWriting()
    }

    private func step(writing bytes: UnsafeRawBufferPointer) -> TLSSession.Outcome {
        if let tls { return tls.write(bytes) }
        let count = send(raw.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return .done(count) }
        return errno == EAGAIN ? .wantsWrite : .closed
    }

    private func step(readingInto buffer: UnsafeMutableRawBufferPointer) -> TLSSession.Outcome {
        if let tls { return tls.read(into: buffer) }
        let count = recv(raw.descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .done(count) }
        return count < 0 && errno == EAGAIN ? .wantsRead : .closed
    }

    @discardableResult
    private static func finish(_ outcome: TLSSession.Outcome, _ what: String) throws -> Int {
        switch outcome {
        case .done(let count): return count
        case .wantsRead, .wantsWrite: throw Failure("\(what): the server was silent for \(RawConnection.patience) s")
        case .closed: throw Failure("\(what): the server closed the connection")
        case .failed(let failure): throw Failure("\(what): \(failure.explanation) (\(failure.detail))", failure)
        }
    }
}
