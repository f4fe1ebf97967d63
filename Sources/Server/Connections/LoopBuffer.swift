/// Memory that the connections of one loop read into, one after the other.
@safe struct LoopBuffer: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer

    /// A buffer of so many bytes.
    init(byteCount: Int) {
        unsafe memory = .allocate(byteCount: byteCount, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The memory; what is read from it lasts until the next connection reads.
    @unsafe var bytes: UnsafeMutableRawBufferPointer {
        unsafe memory
    }

    /// The first bytes of the memory.
    @unsafe func first(_ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
    }
}
