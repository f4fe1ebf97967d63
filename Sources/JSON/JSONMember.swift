/// A value of an object or array met on a walk, with what a rule asks of it first; one call gives all of it, for calls
/// between modules are never inlined.
package struct JSONMember: Sendable {
    package let element: JSONElement
    /// The place of the name in the table of the walk; -1 when the table does not have it.
    package let place: Int
    package let kind: JSONKind
    /// The node of the next member; -1 at the end.
    let next: Int32
}
