extension JSONWriter {
    /// A string, or null.
    package mutating func string(_ value: String?) {
        if let value { string(value) } else { null() }
    }

    /// A constant string that needs no escapes, or null.
    package mutating func string(constant value: StaticString?) {
        if let value { string(constant: value) } else { null() }
    }

    /// A whole number, or null.
    package mutating func integer(_ value: (some FixedWidthInteger)?) {
        if let value { integer(value) } else { null() }
    }

    /// A number, or null.
    package mutating func double(_ value: Double?) {
        if let value { double(value) } else { null() }
    }

    /// `true`, `false` or null.
    package mutating func boolean(_ value: Bool?) {
        if let value { boolean(value) } else { null() }
    }

    /// A point in time, or null.
    package mutating func time(millisecondsSince1970 value: Int64?) {
        if let value { time(millisecondsSince1970: value) } else { null() }
    }

    /// A string from some of an array's bytes, which should be UTF-8.
    package mutating func string(utf8 bytes: [UInt8], in range: Range<Int>) {
        unsafe bytes.withUnsafeBytes { unsafe string(utf8: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Some of an array's bytes that are JSON already, as one value.
    package mutating func raw(_ bytes: [UInt8], in range: Range<Int>) {
        unsafe bytes.withUnsafeBytes { unsafe raw(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// A string from bytes that should be UTF-8.
    package mutating func string(utf8 value: some Sequence<UInt8>) {
        let isDone: Void? = value.withContiguousStorageIfAvailable { bytes in
            unsafe string(utf8: UnsafeRawBufferPointer(bytes))
        }
        if isDone == nil { unsafe Array(value).withUnsafeBytes { unsafe string(utf8: $0) } }
    }

    /// Bytes that are JSON already, as one value.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        let isDone: Void? = json.withContiguousStorageIfAvailable { bytes in
            unsafe raw(UnsafeRawBufferPointer(bytes))
        }
        if isDone == nil { unsafe Array(json).withUnsafeBytes { unsafe raw($0) } }
    }
}
