import EventLoop
import HTTP2
import Simulation
import TLS

extension Connection {
    /// Sends what there is at the end of the turn.
    func flushLater() {
        guard !isFlushDue, phase.name != .closed else { return }
        isFlushDue = true
        worker.flushLater(self)
    }

    /// Hands HTTP/2's output on until there is none or the socket is full.
    func flush() {
        isFlushDue = false
        guard phase.name == .http2 || phase.name == .draining, let channel, let http2 else { return }
        let isStalled = script?.isStalled ?? false
        do {
            if !unsent.isEmpty {
                if !isStalled { try http2.fill(&unsent.bytes, limit: Worker.writeBytes) }
                count(http2)
                guard let count = write(unsent.rest, channel) else { return close() }
                unsent.hasSent(count)
            }
            while unsent.isEmpty, !isStalled {
                worker.output.removeAll(keepingCapacity: true)
                try http2.fill(&worker.output, limit: Worker.writeBytes)
                if let failure = http2.failure { http2Failed(failure, []) }
                if worker.output.isEmpty { break }
                count(http2)
                guard let count = write(worker.output[...], channel) else { return close() }
                if count < worker.output.count { unsent = UnsentOutput(worker.output, sent: count) }
            }
        } catch {
            worker.core.reporter.debug("connection c\(id): \(error)")
            return close()
        }
        setInterest(http2)
        if script != nil { loseClosed() }
        if http2.goAways.count > recordedGoAways { recordGoAways(http2) }
        // In this turn still: the list of connections that flush grows.
        let lingers = script?.lingers ?? false
        if phase.name == .draining, http2.asksWhetherGoAwayIsKnown(isKept: lingers) { flushLater() }
        if let ending = script?.ending {
            if unsent.isEmpty { finish(ending) }
            return
        }
        if unsent.isEmpty, !lingers || isBroken {
            perform(phase.outputSent(isFinished: isBroken || hasAnsweredAll(http2)))
        }
        if isHalfClosed || http2.isPeerLeaving { attendLeaving(http2) }
    }

    /// How many of the bytes were taken; nil when the peer has gone.
    private func write(_ bytes: ArraySlice<UInt8>, _ channel: Channel) -> Int? {
        var sent = 0
        while sent < bytes.count {
            let outcome = unsafe bytes.withUnsafeBytes { unsafe channel.write(.init(rebasing: $0[sent...])) }
            switch outcome {
            case .done(let count): sent += count
            case .wantsRead, .wantsWrite: return sent
            case .closed, .failed: return nil
            }
        }
        return sent
    }

    /// Waits for room while output waits, and reads nothing while much of it does.
    private func setInterest(_ http2: HTTP2Session) {
        guard let watch else { return }
        let isBlocked = !unsent.isEmpty
        let reads =
            !isHalfClosed && unsent.count <= worker.limits.unsentBytes
            && http2.queuedFrames <= worker.limits.queuedFrames
        if watch.wantsWrite != isBlocked { watch.wantsWrite = isBlocked }
        if watch.wantsRead != reads {
            watch.wantsRead = reads
            record.store(isPaused: !reads)
        }
    }

    /// Counts what the output answers before it leaves, so that a sender that has its answer finds it counted.
    private func count(_ http2: HTTP2Session) {
        record.store(
            requests: state.requests + views.requests, streamsOpened: http2.openedStreams,
            openStreams: http2.openStreams)
    }

    private func recordGoAways(_ http2: HTTP2Session) {
        worker.core.traffic.countGoAways(http2.goAways.count - recordedGoAways)
        for goAway in http2.goAways[recordedGoAways...] {
            record.sent(
                ConnectionRecord.GoAway(
                    at: EventLoop.wallClockMilliseconds(), code: goAway.codeName, lastStream: goAway.lastStream,
                    debugData: String(decoding: goAway.debugData, as: UTF8.self)))
        }
        recordedGoAways = http2.goAways.count
    }
}
