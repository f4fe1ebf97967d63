import HTTP

/// The streams of a session that are open, in slots that are used again.
struct StreamTable {
    /// No slot.
    static let none = -1

    private var slots: [StreamSlot] = []
    private var free: [Int] = []

    /// How many streams are open.
    var count: Int { slots.count - free.count }

    /// A slot for a new stream.
    mutating func open(_ stream: Int32, request: consuming HTTPRequest) -> Int {
        if let index = free.popLast() {
            slots[index].stream = stream
            slots[index].request = request
            return index
        }
        slots.append(StreamSlot(stream: stream, request: request))
        return slots.count - 1
    }

    /// Frees a slot and what it holds.
    mutating func close(_ index: Int) {
        slots[index] = StreamSlot(stream: 0, request: .empty)
        free.append(index)
    }

    subscript(index: Int) -> StreamSlot {
        _read { yield slots[index] }
        _modify { yield &slots[index] }
    }
}
