/// Memory in which a request is put together as it arrives, used again for the next one.
///
/// The request that comes out is copied once, into two arrays of exactly its size: it may stay in the journal for
/// long, and there spare capacity would be counted for nothing.
@safe
package struct HTTPRequestBuilder: ~Copyable {
    private var bytes: UnsafeMutableRawBufferPointer
    private var fields: UnsafeMutableBufferPointer<HTTPRequest.Field>
    private var count = 0
    private var fieldCount = 0
    private var bodyStart = 0
    private var droppedBodyBytes = 0

    /// What a builder allocates for its first request: enough for a usual push.
    private static let firstBytes = 1024
    private static let firstFields = 16
    /// What a builder keeps between requests; more is given back.
    private static let keptBytes = 8 << 10
    private static let keptFields = 64

    /// A builder with no memory yet.
    package init() {
        unsafe bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        unsafe fields = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe fields.deallocate()
    }

    /// The size of the header list so far, as RFC 9113 section 6.5.2 counts: names, values and 32 bytes a field.
    package var headerListSize: Int { bodyStart + 32 * fieldCount }

    /// How many bytes of the body are kept so far.
    package var bodyCount: Int { count - bodyStart }

    /// How long the body is as it came, bytes that were not kept included.
    package var bodyBytesReceived: Int { bodyCount + droppedBodyBytes }

    /// Adds a field whose token is not known yet.
    package mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        unsafe append(HeaderName(spelledAs: name), name: name, value: value)
    }

    /// Adds a field; all fields come before the body.
    package mutating func append(
        _ token: HeaderName, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
    ) {
        let valueStart = count + name.count
        let end = valueStart + value.count
        if unsafe end > bytes.count { growBytes(to: end) }
        if unsafe fieldCount == fields.count { growFields() }
        unsafe copy(name, to: count)
        unsafe copy(value, to: valueStart)
        unsafe fields.initializeElement(
            at: fieldCount,
            to: HTTPRequest.Field(
                name: token, nameStart: UInt32(truncatingIfNeeded: count),
                valueStart: UInt32(truncatingIfNeeded: valueStart), valueEnd: UInt32(truncatingIfNeeded: end)))
        fieldCount += 1
        count = end
        bodyStart = end
    }

    /// Adds a field that came as text.
    package mutating func append(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in
            value.withUTF8 { unsafe append(name: .init(name), value: .init($0)) }
        }
    }

    /// Adds bytes to the body; what goes over `limit` bytes is counted and dropped.
    package mutating func appendBody(_ piece: UnsafeRawBufferPointer, limit: Int) {
        let kept = min(piece.count, max(limit - bodyCount, 0))
        let end = count + kept
        if unsafe end > bytes.count { growBytes(to: end) }
        unsafe copy(UnsafeRawBufferPointer(rebasing: piece[..<kept]), to: count)
        count = end
        droppedBodyBytes += piece.count - kept
    }

    /// The request as far as it has come.
    package func request() -> HTTPRequest {
        // The quickest way into an array: one allocation, one copy.
        let storage = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, length in
            if let start = unsafe bytes.baseAddress, let target = target.baseAddress {
                unsafe UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: count)
            }
            length = count
        }
        let list = unsafe [HTTPRequest.Field](unsafeUninitializedCapacity: fieldCount) { target, length in
            if let start = unsafe fields.baseAddress, let target = target.baseAddress {
                unsafe target.initialize(from: start, count: fieldCount)
            }
            length = fieldCount
        }
        return HTTPRequest(
            storage: storage, fields: list, bodyStart: bodyStart, droppedBodyBytes: droppedBodyBytes)
    }

    /// Forgets the request, and memory beyond the usual.
    package mutating func reset() {
        count = 0
        fieldCount = 0
        bodyStart = 0
        droppedBodyBytes = 0
        if unsafe bytes.count > Self.keptBytes || fields.count > Self.keptFields { shrink() }
    }

    /// Forgets the request and gives all memory back.
    package mutating func shrink() {
        self = HTTPRequestBuilder()
    }

    private func copy(_ source: UnsafeRawBufferPointer, to offset: Int) {
        guard let start = source.baseAddress, let target = unsafe bytes.baseAddress else { return }
        unsafe (target + offset).copyMemory(from: start, byteCount: source.count)
    }

    private mutating func growBytes(to needed: Int) {
        let grown = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, 2 * bytes.count, Self.firstBytes), alignment: 1)
        unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
        unsafe bytes.deallocate()
        unsafe bytes = grown
    }

    private mutating func growFields() {
        let grown = unsafe UnsafeMutableBufferPointer<HTTPRequest.Field>.allocate(
            capacity: max(2 * fields.count, Self.firstFields))
        _ = unsafe grown.initialize(fromContentsOf: UnsafeMutableBufferPointer(rebasing: fields[..<fieldCount]))
        unsafe fields.deallocate()
        unsafe fields = grown
    }
}

@available(*, unavailable)
extension HTTPRequestBuilder: Sendable {}
