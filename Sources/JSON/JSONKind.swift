/// The six kinds of JSON values.
package enum JSONKind: UInt8, Sendable {
    case object, array, string, number, boolean, null
}
