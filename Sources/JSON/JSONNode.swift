/// One value in the flat index of a ``JSONDocument``. Nodes stand in the order of the text: the first child of a node
/// is the one after it, and ``next`` leads past everything inside.
struct JSONNode: Sendable {
    /// Where the value begins in the document's bytes.
    var start: UInt32
    /// Where it ends.
    var end: UInt32 = 0
    /// The node that follows this value and all that is inside it.
    var next: Int32 = 0
    /// The object or array around this value; -1 for the root.
    var parent: Int32
    /// Where the member's name lies, its begin in the lower half, its end in the upper; 0 when the value is no member.
    /// One word, because it is written by one function and read by another right after.
    var name: UInt64
    /// How many values an object or array holds.
    var count: UInt32 = 0
    var kind: JSONKind
    var flags: Flags
    /// Of an object: the set of name classes seen so far, which tells most new names from all earlier ones at once.
    var nameClasses: UInt64 = 0

    /// What is remembered about a value besides its place.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        /// The string has escapes.
        static let escapedText = Flags(rawValue: 1)
        /// The member's name has escapes.
        static let escapedName = Flags(rawValue: 2)
        /// An earlier member of the same object has this name.
        static let duplicate = Flags(rawValue: 4)
        /// The number has a fraction or an exponent.
        static let fractional = Flags(rawValue: 8)
        /// The object has many members or escaped names, so duplicates are looked for when all is read.
        static let unchecked = Flags(rawValue: 16)
    }

    /// Stands in for a value that does not exist.
    static let absent = JSONNode(start: 0, parent: -1, name: 0, kind: .null, flags: [])

    var isMember: Bool { name != 0 }

    /// Where the member's name begins, after its quotation mark.
    var nameStart: UInt32 { UInt32(truncatingIfNeeded: name) }

    /// Where the member's name ends.
    var nameEnd: UInt32 { UInt32(truncatingIfNeeded: name &>> 32) }
}
