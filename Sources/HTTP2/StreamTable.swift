import HTTP

/// The streams of a session that are open, in slots that are used again.
@safe
final class StreamTable {
    private var all: [SlotReference] = []
    /// The free slots, each of which names the next: taking one is two loads and a store.
    private var firstFree: SlotReference?
    private var freeCount = 0
    /// The slots of the streams that came last, by the low bits of their numbers; a slot found here may have another stream
    /// by now.
    private let recent: UnsafeMutablePointer<SlotReference?>

    /// How many free slots keep their memory for the next streams.
    private static let kept = 128
    /// How many streams ``recent`` can tell apart; a power of two. Beyond, nghttp2 knows the slot.
    private static let recentCount = 256

    /// How many streams were ever opened.
    private(set) var opened = 0

    /// How many streams are open.
    var count: Int { all.count - freeCount }

    /// The open streams that have an answer.
    var answered: Set<Int32> {
        var result: Set<Int32> = []
        for slot in all where slot.value.stream != 0 && slot.value.state.contains(.answered) {
            result.insert(slot.value.stream)
        }
        return result
    }

    init() {
        unsafe recent = .allocate(capacity: Self.recentCount)
        unsafe recent.initialize(repeating: nil, count: Self.recentCount)
    }

    deinit {
        for slot in all { slot.deallocate() }
        unsafe recent.deallocate()
    }

    /// A slot for a new stream. False when another open stream has its place among the recent ones: then nghttp2 must keep the
    /// slot.
    func open(_ stream: Int32) -> (slot: SlotReference, isFound: Bool) {
        let slot = take()
        slot.value.stream = stream
        let place = Self.place(stream)
        if let other = unsafe recent[place], other.value.stream != 0, Self.place(other.value.stream) == place {
            return (slot, false)
        }
        unsafe recent[place] = slot
        return (slot, true)
    }

    /// The slot of a stream, when it is among the recent ones; nghttp2 knows the others.
    @inline(__always)
    func recentSlot(of stream: Int32) -> SlotReference? {
        guard let slot = unsafe recent[Self.place(stream)], slot.value.stream == stream else { return nil }
        return slot
    }

    /// Clients number their streams 1, 3, 5 and so on.
    @inline(__always)
    private static func place(_ stream: Int32) -> Int {
        Int(stream >> 1) & (recentCount - 1)
    }

    private func take() -> SlotReference {
        opened += 1
        if let slot = firstFree {
            firstFree = slot.value.nextFree
            freeCount -= 1
            slot.value.nextFree = nil
            return slot
        }
        let slot = SlotReference.allocate()
        all.append(slot)
        return slot
    }

    /// Hands the memory of a request that is complete to the next stream, which then finds it in the processor's caches.
    func passMemoryOn(from slot: SlotReference) {
        guard let next = firstFree else { return }
        swap(&slot.value.request, &next.value.request)
    }

    /// The streams that are open and whose requests are not whole.
    var unfinished: [Int32] {
        all.filter { $0.value.stream != 0 && !$0.value.state.contains(.complete) }.map { $0.value.stream }
    }

    /// Frees a slot and what it holds.
    func close(_ slot: SlotReference) {
        slot.value.stream = 0
        slot.value.state = []
        slot.value.body = .none
        slot.value.check = MessageCheck()
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
