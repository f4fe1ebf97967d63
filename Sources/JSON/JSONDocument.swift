/// Bytes checked as JSON, with a flat index of their values. A document can be used again for other bytes, and then
/// allocates nothing once it has seen a text as large.
///
/// The check is RFC 8259's, and strict where that leaves a choice:
///
/// | the RFC leaves open | here |
/// |---|---|
/// | a byte order mark before the text, UTF-16 | refused: JSON is UTF-8 |
/// | strings that are not valid UTF-8 (overlong, surrogates, above U+10FFFF) | refused |
/// | `\u` escapes that are one half of a surrogate pair | refused: they are no text |
/// | depth | ``maximumDepth`` levels, as many as Foundation reads on the device |
/// | numbers beyond a Double or an integer | accepted; ``double(_:)`` and ``integer(_:)`` are nil where they do not fit |
/// | duplicate names | accepted, the first one counts, all later ones are listed in ``duplicates`` |
package struct JSONDocument: Sendable {
    /// How deep objects and arrays may be nested.
    package static let maximumDepth = 512
    /// How many bytes a text may have.
    package static let maximumLength = 1 << 28
    /// Up to so many members an object's names are compared one by one, beyond by hashing.
    static let fewMembers = 16
    /// How many zeros follow the text in ``storage``, so that the scanner reads words without looking at the end.
    static let padding = 16

    /// The text, then zeros, then what earlier texts left.
    private(set) var storage: [UInt8] = []
    /// How many bytes of ``storage`` are the text.
    package private(set) var length = 0
    /// Where the text began in the array given to `parse`.
    private(set) var origin = 0
    /// The index; nodes from ``nodeCount`` on are left from earlier texts.
    var nodes: [JSONNode] = []
    /// How many nodes are in use; 0 unless the text is valid.
    package private(set) var nodeCount = 0
    /// Whether ``duplicates`` lists any.
    package internal(set) var hasDuplicates = false
    /// Whether ``numbersBeyondDouble`` may list any.
    package private(set) var hasUnusualNumbers = false
    /// Scratch for the comparison of many names.
    var slots: [Int32] = []

    /// An empty document, which has no root.
    package init() {}

    /// Reads `bytes[range]` as one JSON value by RFC 8259; returns what is wrong with it, nil when it is JSON.
    package mutating func parse(_ bytes: [UInt8], in range: Range<Int>) -> JSONFault? {
        nodeCount = 0
        hasDuplicates = false
        hasUnusualNumbers = false
        origin = range.lowerBound
        length = range.count
        guard length <= JSONDocument.maximumLength else {
            length = 0
            return JSONFault(JSONScanFault(.tooLong, at: 0), in: [])
        }
        store(bytes, range)
        if nodes.isEmpty { nodes = Array(repeating: .absent, count: 64) }
        while true {
            switch scan() {
            case .complete: return nil
            case .faulty(let fault): return JSONFault(fault, in: storage[0..<length])
            case .needsNodes:
                // A value takes a byte and another to part it from the next: this is enough for any text.
                nodes += repeatElement(.absent, count: max(length / 2 + 2 - nodes.count, 64))
            }
        }
    }

    /// Reads all of `bytes`.
    package mutating func parse(_ bytes: [UInt8]) -> JSONFault? { parse(bytes, in: 0..<bytes.count) }

    private mutating func store(_ bytes: [UInt8], _ range: Range<Int>) {
        let needed = length + JSONDocument.padding
        if storage.count < needed {
            storage = Array(repeating: 0, count: max(needed, storage.count * 2, 1024))
        }
        unsafe storage.withUnsafeMutableBufferPointer { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                // Both sides trap when the range is not one of the array's.
                let text = unsafe UnsafeBufferPointer(rebasing: source[range])
                _ = unsafe target.update(fromContentsOf: text)
                unsafe UnsafeMutableBufferPointer(rebasing: target[length..<needed]).update(repeating: 0)
            }
        }
    }

    private enum ScanResult {
        case complete, needsNodes
        case faulty(JSONScanFault)
    }

    private mutating func scan() -> ScanResult {
        let length = length
        var hasUncheckedNames = false
        let result: ScanResult = unsafe storage.withUnsafeBufferPointer { text in
            unsafe nodes.withUnsafeMutableBufferPointer { nodes in
                var scanner = unsafe JSONScanner(bytes: text, end: length, nodes: nodes)
                switch scanner.scan() {
                case .complete:
                    nodeCount = scanner.nodeCount
                    hasDuplicates = scanner.hasDuplicates
                    hasUnusualNumbers = scanner.hasUnusualNumbers
                    hasUncheckedNames = scanner.hasUncheckedNames
                    return .complete
                case .faulty: return .faulty(scanner.fault)
                case .needsNodes: return .needsNodes
                }
            }
        }
        if hasUncheckedNames { compareNames() }
        return result
    }

    /// Whether the last `parse` succeeded.
    package var isValid: Bool { nodeCount > 0 }

    /// The outermost value; only of a valid document.
    package var root: JSONElement { JSONElement(node: 0) }

    /// The node of a value; a stand-in for values that the document does not have.
    @inline(__always)
    func node(_ element: JSONElement) -> JSONNode {
        let index = Int(element.node)
        return index >= 0 && index < nodeCount ? nodes[index] : .absent
    }

    /// The kind of a value.
    package func kind(_ element: JSONElement) -> JSONKind { node(element).kind }

    /// The bytes of a value as it is written, in the coordinates of the array given to `parse`.
    package func range(_ element: JSONElement) -> Range<Int> {
        let node = node(element)
        return origin + Int(node.start)..<origin + Int(node.end)
    }
}
