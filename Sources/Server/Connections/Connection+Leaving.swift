import EventLoop
import HTTP2

/// A peer that has said it goes: by GOAWAY, or by the end of what it sends. What it has asked is still answered.
extension Connection {
    /// The peer sends nothing more. Requests that are whole are answered, then the connection ends; what waits for ever does not keep
    /// it, nor do requests that are not whole.
    func inputEnded() {
        guard let http2, hasSpoken, phase.name == .http2 || phase.name == .draining, script?.isStalled != true else {
            return peerClosed()
        }
        isHalfClosed = true
        watch?.wantsRead = false
        http2.endOfInput()
        _ = phase.peerFailed()
        flushLater()
    }

    /// Whether nothing is left to be answered on a connection that ends.
    func hasAnsweredAll(_ http2: HTTP2Session) -> Bool {
        let hanging = isHalfClosed ? script?.hanging ?? 0 : 0
        return http2.openStreams <= hanging
    }

    /// Sees to a peer that goes, after output was sent.
    func attendLeaving(_ http2: HTTP2Session) {
        guard leaving == nil else { return }
        if isHalfClosed, phase.name == .draining {
            watchHalfClosed(remaining: worker.limits.halfClosedSeconds)
        } else if http2.isPeerLeaving, http2.openStreams == 0, phase.name == .http2 {
            // A moment for what is behind the GOAWAY: a PING, or a last request.
            leaving = try? worker.loop.after(milliseconds: worker.limits.peerLeavingMilliseconds) { [unowned self] in
                leaving = nil
                guard let http2 = self.http2, http2.openStreams == 0 else { return }
                note(end: "The client sent GOAWAY, and everything was answered.")
                guard phase.endRequested() == .goAway else { return }
                http2.goAway(code: 0, lastStream: nil, debugData: [])
                flushLater()
            }
        }
    }

    /// Asks again and again whether the peer is still there: a peer that has closed altogether looks the same as one that waits for
    /// its answers, until something is sent to it.
    private func watchHalfClosed(remaining: Int) {
        http2?.ping()
        flushLater()
        leaving = try? worker.loop.after(milliseconds: 1000) { [unowned self] in
            guard remaining > 1 else { return close() }
            watchHalfClosed(remaining: remaining - 1)
        }
        if leaving == nil { close() }
    }
}
