/// How important and urgent a notification is.
package enum InterruptionLevel: String, Sendable, CaseIterable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical

    /// The names, in the order of the cases.
    static let names: [StaticString] = ["passive", "active", "time-sensitive", "critical"]
}
