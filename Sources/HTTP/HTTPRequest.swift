/// A whole request as it arrived: one run of bytes and the places of its fields in it.
///
/// Names, values and body lie one after the other in `storage`, so a request costs two allocations
/// and moves into the journal without being copied.
package struct HTTPRequest: Sendable {
    /// The place of one field in `storage`.
    package struct Field: Sendable {
        /// The token of the name.
        package let name: HeaderName
        package let nameStart: UInt32
        package let valueStart: UInt32
        package let valueEnd: UInt32

        /// Where the name lies in the request's storage.
        package var nameRange: Range<Int> { Int(nameStart)..<Int(valueStart) }
        /// Where the value lies in the request's storage.
        package var valueRange: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// Names and values of all fields in the order of arrival, then the body.
    package private(set) var storage: [UInt8]
    /// The fields in the order of arrival, pseudo-header fields included.
    package private(set) var fields: [Field]
    /// Where the body begins in `storage`.
    package private(set) var bodyStart: Int
    /// How many bytes of the body came after the limit was reached and were not kept.
    package var droppedBodyBytes = 0

    /// An empty request with room for a usual push.
    package init(expectedBytes: Int = 1024, expectedFields: Int = 12) {
        storage = []
        storage.reserveCapacity(expectedBytes)
        fields = []
        fields.reserveCapacity(expectedFields)
        bodyStart = 0
    }

    /// A request from its parts, as a builder put them together.
    package init(storage: [UInt8], fields: [Field], bodyStart: Int, droppedBodyBytes: Int = 0) {
        self.storage = storage
        self.fields = fields
        self.bodyStart = bodyStart
        self.droppedBodyBytes = droppedBodyBytes
    }

    /// Adds a field; all fields come before the body.
    package mutating func append(
        _ name: HeaderName, name spelling: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
    ) {
        let nameStart = UInt32(truncatingIfNeeded: storage.count)
        unsafe storage.append(contentsOf: spelling)
        let valueStart = UInt32(truncatingIfNeeded: storage.count)
        unsafe storage.append(contentsOf: value)
        let valueEnd = UInt32(truncatingIfNeeded: storage.count)
        fields.append(Field(name: name, nameStart: nameStart, valueStart: valueStart, valueEnd: valueEnd))
        bodyStart = storage.count
    }

    /// Adds bytes to the end of the body.
    package mutating func appendBody(_ bytes: UnsafeRawBufferPointer) {
        unsafe storage.append(contentsOf: bytes)
    }

    /// Where the body lies in `storage`.
    package var bodyRange: Range<Int> { bodyStart..<storage.count }

    /// How long the body was as it was sent, bytes that were not kept included.
    package var bodyBytesReceived: Int { storage.count - bodyStart + droppedBodyBytes }

    /// Where the value of the first field of this name lies; nil when there is none.
    package func valueRange(_ name: HeaderName) -> Range<Int>? {
        for field in fields where field.name == name { return field.valueRange }
        return nil
    }

    /// The value of the first field of this name as text; bytes that are not UTF-8 are replaced.
    package func text(_ name: HeaderName) -> String? {
        valueRange(name).map { text(in: $0) }
    }

    /// A run of the storage as text; bytes that are not UTF-8 are replaced.
    package func text(in range: Range<Int>) -> String {
        String(decoding: storage[range], as: UTF8.self)
    }
}
