extension OutputSpan<UInt8> {
    /// Appends a number's last `width` decimal digits, with leading zeros.
    @inline(__always)
    mutating func append(digits number: some FixedWidthInteger & UnsignedInteger, width: Int) {
        precondition(width <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { buffer, used in
            var rest = number
            var place = used + width
            while place > used {
                place &-= 1
                unsafe buffer.initializeElement(at: place, to: 0x30 &+ UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
            used += width
        }
    }

    /// Appends bytes; short ones, as most are, without a call.
    @inline(__always)
    mutating func append(copying source: UnsafeRawBufferPointer) {
        let count = source.count
        precondition(count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { buffer, used in
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
            if count >= 8, count <= 64 {
                // The last word overlaps the one before.
                var index = 0
                while index < count &- 8 {
                    unsafe target.copyWord(from: source, at: index)
                    index &+= 8
                }
                unsafe target.copyWord(from: source, at: count &- 8)
            } else if count < 8 {
                for index in 0..<count { unsafe target[index] = source[index] }
            } else {
                unsafe target.copyMemory(from: source)
            }
            used += count
        }
    }

    /// Appends bytes, with blanks for the line feeds and carriage returns among them.
    @inline(__always)
    mutating func append(blankingBreaksOf source: UnsafeRawBufferPointer) {
        let count = source.count
        precondition(count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { buffer, used in
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
            var index = 0
            while index < count {
                if index &+ 8 <= count,
                    unsafe ByteWord.controls(source.loadUnaligned(fromByteOffset: index, as: UInt64.self)) == 0
                {
                    unsafe target.copyWord(from: source, at: index)
                    index &+= 8
                } else {
                    let byte = unsafe source[index]
                    unsafe target[index] = byte == 0x0A || byte == 0x0D ? 0x20 : byte
                    index &+= 1
                }
            }
            used += count
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies the eight bytes at `index`.
    @inline(__always)
    fileprivate func copyWord(from source: UnsafeRawBufferPointer, at index: Int) {
        unsafe storeBytes(
            of: source.loadUnaligned(fromByteOffset: index, as: UInt64.self), toByteOffset: index, as: UInt64.self)
    }
}
