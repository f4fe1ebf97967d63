import EventLoop
import HTTP2
import TLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection of `send`.
final class SenderConnection: ReadinessHandler {
    /// What came of one push.
    enum Result {
        case answer(HTTP2ClientSession.Response)
        case lost(String)
    }

    private unowned let sender: Sender
    private let descriptor: Int32
    private let tls: TLSSession
    private let http2: HTTP2ClientSession
    private var watch: SocketWatch?
    private var isReady = false
    private var streams: Set<Int32> = []
    private var streamLimit = 100
    private var output: [UInt8] = []

    init(_ sender: Sender, to address: SocketAddress, context: TLSContext, serverName: String) throws {
        self.sender = sender
        descriptor = try OutgoingConnection.open(to: address)
        tls = try TLSSession(client: context, descriptor: descriptor, serverName: serverName)
        http2 = try HTTP2ClientSession()
        watch = try sender.loop.watch(descriptor, self)
        goOn()
    }

    deinit {
        watch?.cancel()
        _ = close(descriptor)
    }

    func readable() { goOn() }
    func writable() { goOn() }

    /// Sends as many pushes as the limits allow.
    func sendMore() {
        guard isReady else { return }
        while streams.count < min(streamLimit, Sender.streamLimit), sender.takeTurn() {
            do {
                streams.insert(try http2.submit(sender.request.fields, body: sender.request.body))
            } catch {
                sender.finished(.lost("\(error)"))
            }
        }
        flush()
    }

    private func goOn() {
        guard watch != nil else { return }
        if !isReady {
            switch tls.handshake() {
            case .done:
                isReady = true
                watch?.wantsWrite = false
                sendMore()
            case .wantsRead:
                watch?.wantsWrite = false
                return
            case .wantsWrite:
                watch?.wantsWrite = true
                return
            case .closed: return end("the server closed the connection during the TLS handshake")
            case .failed(let failure): return end("TLS: \(failure.explanation) (\(failure.detail))")
            }
        }
        receive()
        sendMore()
    }

    private func receive() {
        while watch != nil {
            let outcome = unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
                let outcome = unsafe tls.read(into: buffer)
                if case .done(let count) = outcome {
                    unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
                return outcome
            }
            switch outcome {
            case .done: continue
            case .wantsRead, .wantsWrite: return
            case .closed: return end("the server closed the connection")
            case .failed(let failure): return end("TLS: \(failure.explanation) (\(failure.detail))")
            }
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        do {
            for event in try unsafe http2.receive(bytes) { take(event) }
        } catch {
            end("\(error)")
        }
    }

    private func take(_ event: HTTP2ClientSession.Event) {
        switch event {
        case .response(let stream, let response):
            if streams.remove(stream) != nil { sender.finished(.answer(response)) }
        case .reset(let stream, let code):
            if streams.remove(stream) != nil { sender.finished(.lost("stream reset with code \(code)")) }
        case .goAway(_, let code, let debugData):
            end("GOAWAY with code \(code): \(String(decoding: debugData, as: UTF8.self))")
        case .settings(let limit):
            if let limit { streamLimit = Int(limit) }
        case .settingsAcknowledged, .pingAcknowledged:
            break
        }
    }

    private func flush() {
        do {
            try http2.fill(&output)
        } catch {
            return end("\(error)")
        }
        while !output.isEmpty, watch != nil {
            switch unsafe output.withUnsafeBytes({ unsafe tls.write($0) }) {
            case .done(let count): output.removeFirst(count)
            case .wantsRead: return
            case .wantsWrite:
                watch?.wantsWrite = true
                return
            case .closed: return end("the server closed the connection")
            case .failed(let failure): return end("TLS: \(failure.explanation) (\(failure.detail))")
            }
        }
        watch?.wantsWrite = false
    }

    private func end(_ failure: String) {
        guard watch != nil else { return }
        watch?.cancel()
        watch = nil
        let lost = streams
        streams = []
        for _ in lost { sender.finished(.lost(failure)) }
        sender.ended(self, because: failure)
    }
}
