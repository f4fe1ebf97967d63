/// Writes JSON into bytes, without a tree in between; the caller keeps brackets and commas balanced by its structure.
package struct JSONWriter: Sendable {
    /// What has been written.
    package var bytes: [UInt8]

    /// A writer that adds to the end of `bytes`.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// `{`, with the comma that its place needs.
    package mutating func beginObject() { fatalError("contract") }
    /// `}`.
    package mutating func endObject() { fatalError("contract") }
    /// `[`.
    package mutating func beginArray() { fatalError("contract") }
    /// `]`.
    package mutating func endArray() { fatalError("contract") }
    /// The name of the member that follows; a constant that needs no escapes.
    package mutating func key(_ name: StaticString) { fatalError("contract") }
    /// The name of the member that follows.
    package mutating func key(dynamic name: String) { fatalError("contract") }
    /// A string.
    package mutating func string(_ value: String) { fatalError("contract") }
    /// A constant string that needs no escapes.
    package mutating func string(constant value: StaticString) { fatalError("contract") }
    /// A string from bytes that should be UTF-8; what is not becomes U+FFFD.
    package mutating func string(utf8 value: UnsafeRawBufferPointer) { fatalError("contract") }
    /// A whole number.
    package mutating func integer(_ value: some FixedWidthInteger) { fatalError("contract") }
    /// A number; what JSON cannot express becomes null.
    package mutating func double(_ value: Double) { fatalError("contract") }
    /// `true` or `false`.
    package mutating func boolean(_ value: Bool) { fatalError("contract") }
    /// `null`.
    package mutating func null() { fatalError("contract") }
    /// Bytes that are JSON already, as one value.
    package mutating func raw(_ json: UnsafeRawBufferPointer) { fatalError("contract") }
}
