extension JSONWriter {
    /// A whole number.
    package mutating func integer(_ value: Int) { decimal(magnitude: UInt64(value.magnitude), isNegative: value < 0) }
    /// A whole number.
    package mutating func integer(_ value: Int64) { decimal(magnitude: value.magnitude, isNegative: value < 0) }
    /// A whole number.
    package mutating func integer(_ value: UInt64) { decimal(magnitude: value, isNegative: false) }

    /// A whole number of any other type.
    package mutating func integer(_ value: some FixedWidthInteger) {
        if let small = Int64(exactly: value) {
            integer(small)
        } else if let large = UInt64(exactly: value) {
            integer(large)
        } else {
            number(text: String(value))
        }
    }

    /// A whole number.
    package mutating func integer(_ value: UInt8) { integer(UInt64(value)) }
    /// A whole number.
    package mutating func integer(_ value: UInt16) { integer(UInt64(value)) }
    /// A whole number.
    package mutating func integer(_ value: UInt32) { integer(UInt64(value)) }
    /// A whole number.
    package mutating func integer(_ value: Int32) { integer(Int64(value)) }

    /// A number; what JSON cannot express becomes null.
    package mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        number(text: value.description)
    }

    /// A point in time as RFC 3339 in UTC with milliseconds: `"2026-01-15T09:30:00.123Z"`; null outside the years 0
    /// to 9999, which that form cannot express.
    package mutating func time(millisecondsSince1970 value: Int64) {
        guard let date = CivilTime(millisecondsSince1970: value) else { return null() }
        let comma = needsComma
        bytes.append(addingCapacity: 27) { output in
            if comma { output.append(0x2C) }
            output.append(0x22)
            output.append(digits: date.year, width: 4)
            output.append(0x2D)
            output.append(digits: date.month, width: 2)
            output.append(0x2D)
            output.append(digits: date.day, width: 2)
            output.append(0x54)
            output.append(digits: date.secondOfDay / 3600, width: 2)
            output.append(0x3A)
            output.append(digits: date.secondOfDay / 60 % 60, width: 2)
            output.append(0x3A)
            output.append(digits: date.secondOfDay % 60, width: 2)
            output.append(0x2E)
            output.append(digits: date.millisecond, width: 3)
            output.append(0x5A)
            output.append(0x22)
        }
    }

    /// Appends the decimal digits of a number, with its comma and sign.
    private mutating func decimal(magnitude: UInt64, isNegative: Bool) {
        let comma = needsComma
        var width = 1
        var rest = magnitude
        while rest >= 10_000 {
            width += 4
            rest /= 10_000
        }
        while rest >= 10 {
            width += 1
            rest /= 10
        }
        bytes.append(addingCapacity: width + 2) { output in
            if comma { output.append(0x2C) }
            if isNegative { output.append(0x2D) }
            output.append(digits: magnitude, width: width)
        }
    }

    /// Appends a number that is written already.
    private mutating func number(text: String) {
        if needsComma { bytes.append(0x2C) }
        bytes.append(contentsOf: text.utf8)
    }
}
