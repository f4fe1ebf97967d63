/// One pass over bytes: is this JSON by RFC 8259, and where does each value lie?
///
/// There is no recursion: open objects and arrays are linked through their nodes, and ``JSONDocument/maximumDepth``
/// bounds them. The bytes end with zeros, which no rule accepts, so the scanner always stops at the end.
@safe
struct JSONScanner {
    /// How a scan ended.
    enum Outcome {
        case complete, faulty
        /// The index is too small for the values; scan again with a larger one.
        case needsNodes
    }

    /// The text, followed by ``JSONDocument/padding`` zeros.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The length of the text without the zeros.
    let end: Int
    /// Room for the index.
    let nodes: UnsafeMutableBufferPointer<JSONNode>

    /// How many nodes are in use.
    private(set) var nodeCount = 0
    /// What is wrong, after a faulty scan.
    private(set) var fault = JSONScanFault(.missingValue, at: 0)
    /// Whether an object is left whose names are not compared yet.
    private(set) var hasUncheckedNames = false
    /// Whether a duplicate name was found.
    private(set) var hasDuplicates = false
    /// Whether a number has a fraction, an exponent or so many digits that it may be none of a Double's.
    private(set) var hasUnusualNumbers = false

    /// The innermost open object or array; -1 outside of all.
    private var container = -1
    private var depth = 0
    /// The name of the member whose value comes next.
    private var pendingName: UInt64 = 0
    private var flags: JSONNode.Flags = []

    init(bytes: UnsafeBufferPointer<UInt8>, end: Int, nodes: UnsafeMutableBufferPointer<JSONNode>) {
        unsafe self.bytes = bytes
        self.end = end
        unsafe self.nodes = nodes
    }

    @inline(__always) func byte(_ index: Int) -> UInt8 { unsafe bytes[index] }

    @inline(__always) func word(_ index: Int) -> UInt64 {
        unsafe UInt64(
            littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Scans the whole text.
    mutating func scan() -> Outcome {
        var at = afterWhite(0)
        while true {
            // A value begins here.
            guard unsafe nodeCount < nodes.count else { return .needsNodes }
            let first = byte(at)
            if first == 0x7B || first == 0x5B {
                guard depth < JSONDocument.maximumDepth else { return fail(.tooDeep, at: at) }
                begin(first == 0x7B ? .object : .array, at: at)
                at = afterWhite(at + 1)
                if first == 0x7B {
                    if byte(at) != 0x7D {
                        at = name(at, isFirst: true)
                        if at < 0 { return .faulty }
                        continue
                    }
                } else if byte(at) != 0x5D {
                    if byte(at) == 0x2C { return fail(.missingElement, at: at) }
                    continue
                }
                at = close(at)
            } else {
                at = scalar(first, at: at)
                if at < 0 { return .faulty }
            }
            // A value has ended here: close what ends with it, then go on to the next one.
            while true {
                at = afterWhite(at)
                if container < 0 {
                    return at == end ? .complete : fail(.textAfterValue, at: at)
                }
                let next = byte(at)
                let isObject = unsafe nodes[container].kind == .object
                if next == 0x2C {
                    at = afterWhite(at + 1)
                    if isObject {
                        at = name(at, isFirst: false)
                        if at < 0 { return .faulty }
                    } else if byte(at) == 0x5D {
                        return fail(.commaBeforeBracket, at: at)
                    }
                    break
                }
                guard next == (isObject ? 0x7D : 0x5D) else {
                    return fail(isObject ? .afterMember : .afterElement, at: at)
                }
                at = close(at)
            }
        }
    }

    /// The first place from `index` on that is no white space.
    @inline(__always)
    private func afterWhite(_ index: Int) -> Int {
        var index = index
        while true {
            let byte = byte(index)
            if byte > 0x20 { return index }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return index }
            index += 1
        }
    }

    // MARK: - Nodes

    /// Adds a node for the value that begins at `start`.
    @inline(__always)
    private mutating func add(_ kind: JSONKind, at start: Int) -> Int {
        let index = nodeCount
        unsafe nodes[index] = JSONNode(
            start: UInt32(truncatingIfNeeded: start), next: Int32(truncatingIfNeeded: index &+ 1),
            parent: Int32(truncatingIfNeeded: container), name: pendingName, kind: kind, flags: flags)
        nodeCount = index &+ 1
        if container >= 0 { unsafe nodes[container].count &+= 1 }
        pendingName = 0
        flags = []
        return index
    }

    @inline(__always)
    private mutating func begin(_ kind: JSONKind, at start: Int) {
        container = add(kind, at: start)
        depth &+= 1
    }

    /// Closes the innermost object or array, whose bracket is at `index`; returns the place after it.
    @inline(__always)
    private mutating func close(_ index: Int) -> Int {
        unsafe nodes[container].end = UInt32(truncatingIfNeeded: index &+ 1)
        unsafe nodes[container].next = Int32(truncatingIfNeeded: nodeCount)
        container = unsafe Int(nodes[container].parent)
        depth &-= 1
        return index &+ 1
    }

    // MARK: - Values; each returns the place after what it read, or -1 with `fault` set

    /// A string, number or literal.
    @inline(__always)
    private mutating func scalar(_ first: UInt8, at start: Int) -> Int {
        if first == 0x22 {
            let index = add(.string, at: start)
            var hasEscapes = false
            let stop = string(start &+ 1, hasEscapes: &hasEscapes)
            if hasEscapes { unsafe nodes[index].flags.insert(.escapedText) }
            unsafe nodes[index].end = UInt32(truncatingIfNeeded: stop)
            return stop
        }
        if first &- 0x30 < 10 || first == 0x2D {
            let index = add(.number, at: start)
            var isFractional = false
            let stop = number(start, isFractional: &isFractional)
            if isFractional { unsafe nodes[index].flags.insert(.fractional) }
            if isFractional || stop &- start > JSONNumber.safeLength { hasUnusualNumbers = true }
            unsafe nodes[index].end = UInt32(truncatingIfNeeded: stop)
            return stop
        }
        return literal(first, at: start)
    }

    /// `true`, `false` or `null`.
    private mutating func literal(_ first: UInt8, at start: Int) -> Int {
        let four = UInt32(truncatingIfNeeded: word(start))
        let stop: Int
        let kind: JSONKind
        if four == 0x6575_7274 {  // "true"
            (stop, kind) = (start + 4, .boolean)
        } else if four == 0x6C6C_756E {  // "null"
            (stop, kind) = (start + 4, .null)
        } else if four == 0x736C_6166 && byte(start + 4) == 0x65 {  // "false"
            (stop, kind) = (start + 5, .boolean)
        } else {
            return failed(.noValue, at: start)
        }
        let index = add(kind, at: start)
        unsafe nodes[index].end = UInt32(truncatingIfNeeded: stop)
        return stop
    }

    /// The rest of a string whose opening quotation mark is before `start`.
    @inline(__always)
    private mutating func string(_ start: Int, hasEscapes: inout Bool) -> Int {
        var index = start
        while true {
            let found = ByteWord.special(word(index))
            if found == 0 {
                index &+= 8  // none of them was zero, so this is still inside the text
                continue
            }
            index &+= ByteWord.place(found)
            if byte(index) == 0x22 { return index &+ 1 }
            index = specialText(index, start: start, hasEscapes: &hasEscapes)
            if index < 0 { return -1 }
        }
    }

    /// An escape or a run of characters beyond ASCII.
    @inline(never)
    private mutating func specialText(_ start: Int, start opening: Int, hasEscapes: inout Bool) -> Int {
        var index = start
        let byte = byte(index)
        if byte == 0x5C {
            hasEscapes = true
            return escape(index)
        }
        guard byte >= 0x80 else {
            return index >= end ? failed(.openString, at: end, since: opening - 1) : failed(.control, at: index)
        }
        while self.byte(index) >= 0x80 {
            let length = unsafe UTF8Check.length(bytes, at: index, end: end)
            if length == 0 { return failed(.notUTF8, at: index) }
            index += length
        }
        return index
    }

    /// The escape whose backslash is at `start`.
    private mutating func escape(_ start: Int) -> Int {
        switch byte(start + 1) {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return start + 2
        case 0x75: break
        default: return failed(.unknownEscape, at: start)
        }
        guard let unit = hexadecimal(start + 2) else { return failed(.shortEscape, at: start) }
        switch unit {
        case 0xD800...0xDBFF:
            guard byte(start + 6) == 0x5C, byte(start + 7) == 0x75, let low = hexadecimal(start + 8),
                (0xDC00...0xDFFF).contains(low)
            else { return failed(.loneSurrogate, at: start) }
            return start + 12
        case 0xDC00...0xDFFF: return failed(.loneSurrogate, at: start)
        default: return start + 6
        }
    }

    /// The value of four hexadecimal digits.
    private func hexadecimal(_ start: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in start..<start + 4 {
            guard index < end, let digit = JSONText.hexadecimal(byte(index)) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The number that begins at `start`.
    @inline(__always)
    private mutating func number(_ start: Int, isFractional: inout Bool) -> Int {
        var index = byte(start) == 0x2D ? start &+ 1 : start
        if byte(index) == 0x30 {
            index &+= 1
            if byte(index) &- 0x30 < 10 { return failed(.leadingZero, at: start) }
        } else {
            let digits = index
            while byte(index) &- 0x30 < 10 { index &+= 1 }
            if index == digits { return failed(.noDigitAfterMinus, at: index) }
        }
        let next = byte(index)
        if next != 0x2E && next | 0x20 != 0x65 { return index }
        isFractional = true
        return fraction(index)
    }

    /// The fraction and exponent of a number.
    private mutating func fraction(_ start: Int) -> Int {
        var index = start
        if byte(index) == 0x2E {
            index += 1
            let digits = index
            while byte(index) &- 0x30 < 10 { index += 1 }
            if index == digits { return failed(.noDigitAfterPoint, at: index) }
        }
        if byte(index) | 0x20 == 0x65 {
            index += 1
            if byte(index) == 0x2B || byte(index) == 0x2D { index += 1 }
            let digits = index
            while byte(index) &- 0x30 < 10 { index += 1 }
            if index == digits { return failed(.noDigitInExponent, at: index) }
        }
        return index
    }

    /// A member's name and its colon; returns where the value begins.
    @inline(__always)
    private mutating func name(_ start: Int, isFirst: Bool) -> Int {
        guard byte(start) == 0x22 else { return failed(isFirst ? .noFirstName : .noName, at: start) }
        var hasEscapes = false
        let stop = string(start &+ 1, hasEscapes: &hasEscapes)
        if stop < 0 { return -1 }
        let (nameStart, nameEnd) = (start &+ 1, stop &- 1)
        pendingName = UInt64(truncatingIfNeeded: nameStart) | UInt64(truncatingIfNeeded: nameEnd) &<< 32
        flags = hasEscapes ? .escapedName : []
        noteName(nameStart, nameEnd)
        let colon = afterWhite(stop)
        guard byte(colon) == 0x3A else { return failed(.noColon, at: colon) }
        return afterWhite(colon &+ 1)
    }

    /// Looks for the new name among the earlier ones of its object, or leaves that for the end.
    @inline(__always)
    private mutating func noteName(_ nameStart: Int, _ nameEnd: Int) {
        let members = unsafe nodes[container].count
        if flags.contains(.escapedName) || members >= JSONDocument.fewMembers {
            unsafe nodes[container].flags.insert(.unchecked)
            hasUncheckedNames = true
            return
        }
        let hash = JSONText.nameHash(first: word(nameStart), length: nameEnd &- nameStart)
        let classBit = 1 &<< (hash &>> 58)
        if unsafe nodes[container].nameClasses & classBit != 0, isNameKnown(nameStart, nameEnd) {
            flags.insert(.duplicate)
            hasDuplicates = true
        }
        unsafe nodes[container].nameClasses |= classBit
    }

    /// Whether an earlier member of the same object has the new name.
    @inline(never)
    private func isNameKnown(_ nameStart: Int, _ nameEnd: Int) -> Bool {
        let length = nameEnd - nameStart
        var sibling = container + 1
        while sibling < nodeCount {
            let node = unsafe nodes[sibling]
            if Int(node.nameEnd - node.nameStart) == length {
                var index = 0
                while index < length, byte(Int(node.nameStart) + index) == byte(nameStart + index) { index += 1 }
                if index == length { return true }
            }
            sibling = Int(node.next)
        }
        return false
    }

    // MARK: - Faults

    private mutating func failed(_ problem: JSONScanFault.Problem, at index: Int, since opening: Int = 0) -> Int {
        fault = JSONScanFault(problem, at: index, since: opening)
        return -1
    }

    private mutating func fail(_ problem: JSONScanFault.Problem, at index: Int) -> Outcome {
        fault = JSONScanFault(problem, at: index)
        return .faulty
    }
}
