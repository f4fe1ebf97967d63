package import EventLoop
package import HTTP2
package import TLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection of a sender of ours: of `mock-apns send`, or of the server that sends to itself. Confined to its loop.
package final class PushConnection: ReadinessHandler {
    /// What came of one push.
    package enum Result {
        case answer(HTTP2ClientSession.Response)
        case lost(String)
    }

    /// How many requests are in flight on a connection at most, whatever the server allows.
    package static let streamLimit = 500

    private unowned let source: any PushSource
    private let descriptor: Int32
    private let tls: TLSSession
    private let http2: HTTP2ClientSession
    private var watch: SocketWatch?
    private var isReady = false
    private var streams: [Int32: OutgoingPush] = [:]
    private var streamLimit = 100
    private var output: [UInt8] = []
    /// What GOAWAY said; no push is sent behind it, and the connection ends with its last answer.
    private var leaving: String?
    /// Whether it takes no more pushes and only waits for its last answers.
    package var isLeaving: Bool { leaving != nil }
    /// Why the connection has ended; nil while it has not.
    package private(set) var failure: String?

    /// Connects; the source is asked for pushes as soon as the handshake is done.
    package init(
        _ source: any PushSource, on loop: EventLoop, to address: SocketAddress, context: TLSContext, serverName: String
    ) throws {
        self.source = source
        descriptor = try OutgoingConnection.open(to: address)
        tls = try TLSSession(client: context, descriptor: descriptor, serverName: serverName)
        http2 = try HTTP2ClientSession()
        watch = try loop.watch(descriptor, self)
        goOn()
    }

    deinit {
        watch?.cancel()
        _ = close(descriptor)
    }

    package func readable() { goOn() }
    package func writable() { goOn() }

    /// Sends as many pushes as the limits allow.
    package func sendMore() {
        guard isReady else { return }
        while leaving == nil, streams.count < min(streamLimit, Self.streamLimit), let push = source.nextPush(for: self)
        {
            do {
                streams[try http2.submit(push.fields, body: push.body)] = push
            } catch {
                source.finished(push, .lost("\(error)"))
            }
        }
        flush()
    }

    /// Ends the connection without waiting for answers; nobody is told.
    package func abandon() {
        watch?.cancel()
        watch = nil
        streams = [:]
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
            if let push = streams.removeValue(forKey: stream) { source.finished(push, .answer(response)) }
        case .reset(let stream, let code):
            if let push = streams.removeValue(forKey: stream) {
                source.finished(push, .lost("stream reset with code \(code)"))
            }
        case .goAway(let last, let code, let debugData):
            leave("GOAWAY with code \(code): \(String(decoding: debugData, as: UTF8.self))", lastStream: last)
        case .settings(let limit):
            if let limit { streamLimit = Int(limit) }
        case .settingsAcknowledged, .pingAcknowledged:
            break
        }
        if let leaving, streams.isEmpty { end(leaving) }
    }

    /// The server takes no more; it answers streams up to the last one that it names (RFC 9113 section 6.8).
    private func leave(_ words: String, lastStream: Int32) {
        leaving = leaving ?? words
        for (stream, push) in streams.sorted(by: { $0.key < $1.key }) where stream > lastStream {
            streams[stream] = nil
            source.finished(push, .lost(words))
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
        self.failure = failure
        let lost = streams
        streams = [:]
        for (_, push) in lost.sorted(by: { $0.key < $1.key }) { source.finished(push, .lost(failure)) }
        source.ended(self, because: failure)
    }
}

@available(*, unavailable)
extension PushConnection: Sendable {}
