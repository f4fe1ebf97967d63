/// A slot of a ``StreamTable``; valid as long as the table.
///
/// A slot never moves, so nghttp2 can keep it, and it is reached without the checks of an array inside a class
/// (uniqueness, exclusive access), which would cost more than what is done for a header field.
@safe
struct SlotReference {
    /// The slot as nghttp2 keeps it.
    let pointer: UnsafeMutableRawPointer

    /// A slot that nghttp2 has kept.
    init(_ pointer: UnsafeMutableRawPointer) {
        unsafe self.pointer = pointer
    }

    /// A new slot.
    static func allocate() -> SlotReference {
        let slot = UnsafeMutablePointer<StreamSlot>.allocate(capacity: 1)
        unsafe slot.initialize(to: StreamSlot())
        return unsafe SlotReference(UnsafeMutableRawPointer(slot))
    }

    /// Ends the slot.
    func deallocate() {
        let slot = unsafe pointer.assumingMemoryBound(to: StreamSlot.self)
        unsafe slot.deinitialize(count: 1)
        unsafe slot.deallocate()
    }

    /// The slot itself.
    var value: StreamSlot {
        _read { yield unsafe pointer.assumingMemoryBound(to: StreamSlot.self).pointee }
        nonmutating _modify { yield unsafe &pointer.assumingMemoryBound(to: StreamSlot.self).pointee }
    }
}
