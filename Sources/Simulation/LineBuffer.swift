/// A run of bytes that grows and is used again; the renderer writes lines into it.
///
/// A line is made of about a hundred fragments, so this is plain memory: one comparison and one copy a fragment, where an
/// array would also ask each time whether somebody else holds it.
@safe package struct LineBuffer: ~Copyable, @unchecked Sendable {
    // It cannot be copied, so its memory is reached by one owner at a time.

    /// How many bytes have been written.
    package private(set) var count = 0
    /// How many bytes fit without a new allocation.
    package private(set) var capacity: Int
    private var base: UnsafeMutablePointer<UInt8>

    /// An empty buffer with room for this many bytes.
    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Calls `body` with what has been written; the bytes must not leave it.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Forgets what was written. Memory above `limit` is given back, so that one giant line does not stay for ever.
    package mutating func removeAll(keepingCapacityUpTo limit: Int = 1 << 20) {
        count = 0
        guard capacity > limit else { return }
        unsafe base.deallocate()
        capacity = limit
        unsafe base = .allocate(capacity: limit)
    }

    /// Forgets everything behind the first `length` bytes.
    package mutating func truncate(to length: Int) {
        count = min(count, max(length, 0))
    }

    /// Makes room for this many more bytes.
    @inline(__always)
    package mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe memory.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = memory
        capacity = larger
    }

    /// Adds a constant.
    @inline(__always)
    package mutating func append(_ constant: StaticString) {
        let length = constant.utf8CodeUnitCount
        reserve(length)
        unsafe (base + count).update(from: constant.utf8Start, count: length)
        count &+= length
    }

    /// Adds one byte.
    @inline(__always)
    package mutating func append(byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        count &+= 1
    }

    /// Adds bytes as they are.
    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// Adds bytes as they are.
    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// Adds a text as it is, without quotes and escapes.
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    /// Adds a whole number in decimal digits.
    package mutating func append(integer value: some FixedWidthInteger) {
        reserve(20)
        var rest = UInt64(value.magnitude)
        if value < 0 { append(byte: UInt8(ascii: "-")) }
        if rest < 10 {
            append(byte: UInt8(truncatingIfNeeded: 48 &+ rest))
            return
        }
        var length = 1
        var limit: UInt64 = 10
        while length < 20, rest >= limit {
            length &+= 1
            limit = length < 20 ? limit &* 10 : .max
        }
        var place = count &+ length
        count = place
        repeat {
            place &-= 1
            unsafe base[place] = UInt8(truncatingIfNeeded: 48 &+ rest % 10)
            rest /= 10
        } while rest != 0
    }

    /// Adds a byte as two hexadecimal digits in lower case.
    package mutating func append(hex byte: UInt8) {
        let digits: StaticString = "0123456789abcdef"
        append(byte: unsafe digits.utf8Start[Int(byte >> 4)])
        append(byte: unsafe digits.utf8Start[Int(byte & 15)])
    }

    /// Adds up to `room` bytes: `body` writes them at the place that it is given and returns the place behind them.
    @inline(__always)
    package mutating func append(
        room: Int, _ body: (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
    ) {
        reserve(room)
        let start = unsafe UnsafeMutableRawPointer(base + count)
        let end = unsafe body(start)
        let length = unsafe end - start
        precondition(length >= 0 && length <= room, "more was written than there was room for")
        count &+= length
    }
}
