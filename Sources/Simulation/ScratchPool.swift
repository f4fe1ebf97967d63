import Locking

/// Memory for rendering, shared by the threads that commit.
final class ScratchPool: Sendable {
    /// A piece of memory; it is either in the pool or with the one thread that took it out.
    final class Piece: @unchecked Sendable {
        // Only the thread that took the piece out of the pool touches it.
        var scratch = RenderScratch()
    }

    private let spares = Lock<[Piece]>([])

    /// A piece of one's own, empty.
    func take() -> Piece {
        spares.withLock { $0.popLast() } ?? Piece()
    }

    /// Gives it back.
    func give(_ piece: Piece) {
        piece.scratch.reset()
        spares.withLock { $0.append(piece) }
    }
}
