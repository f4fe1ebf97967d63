/// The answers that are made while they are sent. Confined to its loop.
///
/// What a guest has not taken is not made yet, so the size of an answer costs no memory.
final class SendingRoom {
    /// One answer.
    private final class Sending {
        private let stream: any AdminStream
        private let next: () -> [UInt8]?
        private let onEnd: () -> Void

        init(_ stream: any AdminStream, _ next: @escaping () -> [UInt8]?, onEnd: @escaping () -> Void) {
            self.stream = stream
            self.next = next
            self.onEnd = onEnd
        }

        func start(_ head: AdminResponse) {
            stream.start(head)
            stream.onDrain = { [weak self] in self?.pump() }
            pump()
        }

        func stop() {
            stream.onDrain = nil
        }

        /// Sends as much as the guest takes.
        private func pump() {
            while stream.pendingBytes < AdminLimits.eventBytes {
                guard let piece = next() else {
                    stop()
                    stream.end()
                    return onEnd()
                }
                stream.send(piece)
            }
        }
    }

    private var sendings: [UInt64: Sending] = [:]
    private var lastNumber: UInt64 = 0

    /// How many there are.
    var count: Int { sendings.count }

    /// Begins an answer whose body is what `next` gives until it gives nil; returns a number for ``leave(_:)``.
    func enter(_ stream: any AdminStream, _ head: AdminResponse, _ next: @escaping () -> [UInt8]?) throws(Problem)
        -> UInt64
    {
        guard sendings.count < AdminLimits.sendings else {
            throw Problem(
                .tooManyStreams, "\(AdminLimits.sendings) guests take exports already, which is as many as may.",
                hint: "Read the answers of calls that were made, or close them.")
        }
        lastNumber += 1
        let number = lastNumber
        let sending = Sending(stream, next) { [weak self] in self?.sendings[number] = nil }
        sendings[number] = sending
        sending.start(head)
        return number
    }

    /// Forgets a guest that has gone.
    func leave(_ number: UInt64) {
        sendings.removeValue(forKey: number)?.stop()
    }
}
