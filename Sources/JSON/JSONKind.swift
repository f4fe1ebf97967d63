/// The six kinds of JSON values.
package enum JSONKind: UInt8, Sendable {
    case object, array, string, number, boolean, null

    /// Whether both are the same kind.
    ///
    /// Written out, because from other modules the one that the compiler derives is found through the conformance.
    package static func == (left: JSONKind, right: JSONKind) -> Bool { left.rawValue == right.rawValue }
}
