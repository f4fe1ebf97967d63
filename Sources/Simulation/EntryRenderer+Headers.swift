import HTTP

/// The header fields, as they arrived but for secrets.
extension EntryRenderer {
    /// Adds all fields as pairs in the order of arrival, pseudo-header fields included; the signature of a provider token is
    /// left out.
    func writeHeaders(_ request: HTTPRequest, _ places: RequestPlaces, to buffer: inout LineBuffer) {
        guard !request.fields.isEmpty else {
            buffer.append(",\"headers\":[]")
            return
        }
        buffer.append(",\"headers\":[")
        unsafe request.storage.withUnsafeBytes { storage in
            if places.isPlain {
                unsafe writePlainHeaders(request, of: storage, to: &buffer)
            } else {
                unsafe writeOtherHeaders(request, of: storage, to: &buffer)
            }
        }
        // The comma behind the last pair.
        buffer.truncate(to: buffer.count - 1)
        buffer.append("]")
    }

    /// Adds fields that need no escapes, with a comma behind each.
    ///
    /// A push has about twenty short names and values: copying them sixteen bytes at a time takes a third of the time that
    /// one call each takes. What is copied too much is written over by what follows.
    private func writePlainHeaders(
        _ request: HTTPRequest, of storage: UnsafeRawBufferPointer, to buffer: inout LineBuffer
    ) {
        // Eight bytes of quotes and brackets a pair, three for a signature left out, and sixteen that may be too much.
        let room = request.bodyStart + request.fields.count * 11 + 16
        unsafe buffer.append(room: room) { start in
            var place = unsafe start
            for field in request.fields {
                unsafe place.storeBytes(of: Delimiter.open, as: UInt16.self)
                unsafe place += 2
                unsafe Self.copy(storage, Int(field.nameStart), Int(field.valueStart), to: &place)
                unsafe place.storeBytes(of: Delimiter.middle, as: UInt32.self)
                unsafe place += 3
                if case .authorization = field.name {
                    let end = unsafe Self.endOfShown(storage, Int(field.valueStart)..<Int(field.valueEnd))
                    unsafe Self.copy(storage, Int(field.valueStart), end, to: &place)
                    unsafe place.storeBytes(of: Delimiter.dots, as: UInt32.self)
                    unsafe place += 3
                } else {
                    unsafe Self.copy(storage, Int(field.valueStart), Int(field.valueEnd), to: &place)
                }
                unsafe place.storeBytes(of: Delimiter.close, as: UInt32.self)
                unsafe place += 3
            }
            return unsafe place
        }
    }

    /// What stands between names and values, as numbers that are stored at once.
    private enum Delimiter {
        static let open = UInt16(littleEndian: 0x225B)  // ["
        static let middle = UInt32(littleEndian: 0x0022_2C22)  // ","
        static let close = UInt32(littleEndian: 0x002C_5D22)  // "],
        static let dots = UInt32(littleEndian: 0x002E_2E2E)  // ...
    }

    @inline(__always)
    private static func copy(
        _ storage: UnsafeRawBufferPointer, _ start: Int, _ end: Int, to place: inout UnsafeMutableRawPointer
    ) {
        let length = end - start
        if length <= 64, end + 16 <= storage.count {
            var offset = 0
            while offset < length {
                let bytes = unsafe storage.loadUnaligned(fromByteOffset: start + offset, as: SIMD16<UInt8>.self)
                unsafe place.storeBytes(of: bytes, toByteOffset: offset, as: SIMD16<UInt8>.self)
                offset += 16
            }
        } else if let base = storage.baseAddress {
            unsafe place.copyMemory(from: base + start, byteCount: length)
        }
        unsafe place += length
    }

    /// Adds fields that may need escapes, with a comma behind each.
    private func writeOtherHeaders(
        _ request: HTTPRequest, of storage: UnsafeRawBufferPointer, to buffer: inout LineBuffer
    ) {
        for field in request.fields {
            var value = field.valueRange
            var isSecret = false
            if case .authorization = field.name {
                isSecret = true
                value = value.lowerBound..<(unsafe Self.endOfShown(storage, value))
            }
            buffer.append("[")
            unsafe buffer.append(string: UnsafeRawBufferPointer(rebasing: storage[field.nameRange]))
            buffer.append(",")
            unsafe buffer.append(string: UnsafeRawBufferPointer(rebasing: storage[value]))
            if isSecret {
                buffer.truncate(to: buffer.count - 1)
                buffer.append("...\"")
            }
            buffer.append("],")
        }
    }

    /// Where the part of an `authorization` value ends that may be shown: before the signature of a token, or else behind the
    /// first word.
    private static func endOfShown(_ storage: UnsafeRawBufferPointer, _ value: Range<Int>) -> Int {
        let dot = UInt8(ascii: ".")
        if let last = unsafe storage.lastPlace(of: dot, in: value),
            unsafe storage.lastPlace(of: dot, in: value.lowerBound..<last) != nil
        {
            return last + 1
        }
        let blank = unsafe storage[value].firstIndex(of: UInt8(ascii: " "))
        return blank.map { $0 + 1 } ?? value.lowerBound
    }
}

extension UnsafeRawBufferPointer {
    /// The last place of a byte, found eight bytes at a time from the end.
    fileprivate func lastPlace(of byte: UInt8, in range: Range<Int>) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var end = range.upperBound
        while end - 8 >= range.lowerBound {
            let word = unsafe loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) ^ (ones &* UInt64(byte))
            // A byte that is zero now; the bytes above one may be marked as well, so this only says that there is one.
            if (word &- ones) & ~word & tops != 0 { break }
            end -= 8
        }
        while end > range.lowerBound {
            end -= 1
            if unsafe self[end] == byte { return end }
        }
        return nil
    }
}
