/// Comparisons of bytes from a request with constants of the program.
extension Span where Element == UInt8 {
    /// Whether the bytes are exactly this constant.
    package func isEqual(to constant: StaticString) -> Bool {
        count == constant.utf8CodeUnitCount && hasSuffix(constant)
    }

    /// Whether the bytes begin with this constant.
    package func hasPrefix(_ constant: StaticString) -> Bool {
        let length = constant.utf8CodeUnitCount
        guard count >= length else { return false }
        var position = 0
        while position < length {
            guard unsafe self[position] == constant.utf8Start[position] else { return false }
            position += 1
        }
        return true
    }

    /// Whether the bytes end with this constant.
    package func hasSuffix(_ constant: StaticString) -> Bool {
        let length = constant.utf8CodeUnitCount
        guard count >= length else { return false }
        // From the end, where topics differ first.
        var position = length
        let offset = count - length
        while position > 0 {
            position -= 1
            guard unsafe self[offset + position] == constant.utf8Start[position] else { return false }
        }
        return true
    }

    /// Whether `fault` is 0 for every byte; without branches the compiler looks at many bytes at once.
    @inline(__always)
    func allBytes(_ fault: (UInt8) -> UInt8) -> Bool {
        unsafe withUnsafeBufferPointer { bytes in
            var faults: UInt8 = 0
            for position in 0..<bytes.count { faults |= fault(unsafe bytes[position]) }
            return faults == 0
        }
    }

    /// The bytes as text for people: control characters and what is not UTF-8 are replaced, and what is long is cut at
    /// `limit` bytes.
    package func shownText(limit: Int = 80) -> String {
        var shown: [UInt8] = []
        var position = 0
        while position < count, position < limit {
            let byte = self[position]
            shown.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte)
            position += 1
        }
        let text = String(decoding: shown, as: UTF8.self)
        return count > limit ? text + "…" : text
    }
}
