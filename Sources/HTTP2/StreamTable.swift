import HTTP

/// The streams of a session that are open, in slots that are used again.
final class StreamTable {
    private var all: [SlotReference] = []
    /// The free slots, each of which names the next: taking one is two loads and a store.
    private var firstFree: SlotReference?
    private var freeCount = 0

    /// How many free slots keep their memory for the next streams.
    private static let kept = 128

    /// How many streams are open.
    var count: Int { all.count - freeCount }

    deinit {
        for slot in all { slot.deallocate() }
    }

    /// A slot for a new stream.
    func open(_ stream: Int32) -> SlotReference {
        if let slot = firstFree {
            firstFree = slot.value.nextFree
            freeCount -= 1
            slot.value.nextFree = nil
            slot.value.stream = stream
            return slot
        }
        let slot = SlotReference.allocate()
        all.append(slot)
        slot.value.stream = stream
        return slot
    }

    /// Hands the memory of a request that is complete to the next stream, which then finds it in the processor's caches.
    func passMemoryOn(from slot: SlotReference) {
        guard let next = firstFree else { return }
        swap(&slot.value.request, &next.value.request)
    }

    /// Frees a slot and what it holds.
    func close(_ slot: SlotReference) {
        slot.value.stream = 0
        slot.value.state = []
        slot.value.body = .none
        if freeCount < Self.kept {
            slot.value.request.reset()
        } else {
            slot.value.request.shrink()
        }
        slot.value.nextFree = firstFree
        firstFree = slot
        freeCount += 1
    }
}
