import APNs
import HTTP

/// Members of an object: the constant holds the comma, the name and the colon.
extension LineBuffer {
    /// Adds a member whose value is a run of the request, as a string; `null` when there is none.
    @inline(__always)
    mutating func append(
        _ name: StaticString, _ range: Range<Int>?, of storage: UnsafeRawBufferPointer, isPlain: Bool
    ) {
        append(name)
        guard let range else {
            append("null")
            return
        }
        let value = unsafe UnsafeRawBufferPointer(rebasing: storage[range])
        if isPlain { unsafe append(plain: value) } else { unsafe append(string: value) }
    }

    /// Adds a member whose value is an id; `null` when there is none.
    @inline(__always)
    mutating func append(_ name: StaticString, _ id: UUIDText?) {
        append(name)
        if let id {
            append("\"")
            unsafe append(room: UUIDText.length) { place in
                unsafe id.write(to: place)
                return unsafe place + UUIDText.length
            }
            append("\"")
        } else {
            append("null")
        }
    }

    /// Adds a member whose value is JSON that the payload holds; `null` when there is none.
    @inline(__always)
    mutating func append(_ name: StaticString, _ place: PayloadFacts.Place, of storage: UnsafeRawBufferPointer) {
        append(name)
        if place.isEmpty {
            append("null")
        } else {
            unsafe append(UnsafeRawBufferPointer(rebasing: storage[place.range]))
        }
    }

    /// Adds a member whose value is a text.
    mutating func append(_ name: StaticString, text: String) {
        append(name)
        append(string: text)
    }
}
