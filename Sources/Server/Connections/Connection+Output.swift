import EventLoop
import HTTP2
import TLS

extension Connection {
    /// Sends what there is at the end of the turn.
    func flushLater() {
        guard !isFlushDue, phase.name != .closed else { return }
        isFlushDue = true
        worker.flushLater(self)
    }

    /// Hands HTTP/2's output to TLS until there is none or the socket is full.
    func flush() {
        isFlushDue = false
        guard phase.name == .http2 || phase.name == .draining, let tls, let http2 else { return }
        do {
            if !unsent.isEmpty {
                try http2.fill(&unsent, limit: Worker.writeBytes)
                guard let count = write(unsent, tls) else { return close() }
                unsent.removeFirst(count)
            }
            while unsent.isEmpty {
                worker.output.removeAll(keepingCapacity: true)
                try http2.fill(&worker.output, limit: Worker.writeBytes)
                if let failure = http2.failure { http2Failed(failure, []) }
                if worker.output.isEmpty { break }
                guard let count = write(worker.output, tls) else { return close() }
                if count < worker.output.count { unsent = Array(worker.output[count...]) }
            }
        } catch {
            worker.core.reporter.debug("connection c\(id): \(error)")
            return close()
        }
        setInterest()
        if unsent.isEmpty { perform(phase.outputSent(isFinished: isBroken || http2.openStreams == 0)) }
    }

    /// How many of the bytes TLS took; nil when the peer has gone.
    private func write(_ bytes: [UInt8], _ tls: TLSSession) -> Int? {
        var sent = 0
        while sent < bytes.count {
            let outcome = unsafe bytes.withUnsafeBytes { unsafe tls.write(.init(rebasing: $0[sent...])) }
            switch outcome {
            case .done(let count): sent += count
            case .wantsRead, .wantsWrite: return sent
            case .closed, .failed: return nil
            }
        }
        return sent
    }

    /// Waits for room while output waits, and reads nothing while much of it does.
    private func setInterest() {
        guard let watch else { return }
        let isBlocked = !unsent.isEmpty
        let reads = unsent.count <= worker.limits.unsentBytes && http2?.queuedFrames ?? 0 <= worker.limits.queuedFrames
        if watch.wantsWrite != isBlocked { watch.wantsWrite = isBlocked }
        if watch.wantsRead != reads { watch.wantsRead = reads }
    }
}
