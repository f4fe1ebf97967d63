/// Bytes checked as JSON, with a flat index of their values. A document can be used again for other bytes, and then
/// allocates nothing.
package struct JSONDocument: Sendable {
    /// An empty document, which has no root.
    package init() {}

    /// Reads `bytes[range]` as one JSON value by RFC 8259; returns what is wrong with it, nil when it is JSON.
    package mutating func parse(_ bytes: [UInt8], in range: Range<Int>) -> JSONFault? { fatalError("contract") }

    /// Whether the last `parse` succeeded.
    package var isValid: Bool { fatalError("contract") }

    /// The outermost value; only of a valid document.
    package var root: JSONElement { JSONElement(node: 0) }

    /// The kind of a value.
    package func kind(_ element: JSONElement) -> JSONKind { fatalError("contract") }

    /// The bytes of a value as it is written, in the coordinates of the array given to `parse`.
    package func range(_ element: JSONElement) -> Range<Int> { fatalError("contract") }

    /// The first member of this name; nil when there is none or `element` is no object. The name is ASCII.
    package func member(_ name: StaticString, of element: JSONElement) -> JSONElement? { fatalError("contract") }

    /// The first member of this name.
    package func member(named name: some StringProtocol, of element: JSONElement) -> JSONElement? {
        fatalError("contract")
    }

    /// The values of an object or array in order; each member's name is `key(of:)`.
    package func children(of element: JSONElement) -> [JSONElement] { fatalError("contract") }

    /// How many values an object or array holds.
    package func count(of element: JSONElement) -> Int { fatalError("contract") }

    /// The name of a member, unescaped; nil when the value is not an object's member.
    package func key(of element: JSONElement) -> String? { fatalError("contract") }

    /// A string's text, unescaped; nil for other kinds.
    package func string(_ element: JSONElement) -> String? { fatalError("contract") }

    /// A number's value; nil for other kinds and for numbers that a Double cannot hold.
    package func double(_ element: JSONElement) -> Double? { fatalError("contract") }

    /// A number's value when it is a whole number in range; `1.0` and `1e2` are whole.
    package func integer(_ element: JSONElement) -> Int64? { fatalError("contract") }

    /// The value of `true` or `false`; nil for other kinds.
    package func boolean(_ element: JSONElement) -> Bool? { fatalError("contract") }

    /// The value at a dotted path (`aps.alert.title`, `items.0.sku`) from the root; nil when there is none.
    package func element(at path: some StringProtocol) -> JSONElement? { fatalError("contract") }

    /// Members whose name occurred before in the same object.
    package var duplicates: [JSONElement] { fatalError("contract") }
}
