import Synchronization

/// Memory for rendering, shared by the threads that commit; each takes a piece, uses it alone and gives it back.
final class ScratchPool: Sendable {
    /// A scratch on its way between threads.
    private struct Spare: @unchecked Sendable {
        // A scratch is either in the pool or with the one thread that took it out.
        let scratch: RenderScratch
    }

    private let spares = Mutex<[Spare]>([])

    /// A scratch of one's own, empty.
    func take() -> RenderScratch {
        spares.withLock { $0.popLast() }?.scratch ?? RenderScratch()
    }

    /// Gives it back.
    func give(_ scratch: RenderScratch) {
        scratch.reset()
        let spare = Spare(scratch: scratch)
        spares.withLock { $0.append(spare) }
    }
}
