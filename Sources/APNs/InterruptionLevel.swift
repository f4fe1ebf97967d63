import JSON

/// How important and urgent a notification is.
package enum InterruptionLevel: String, Sendable, CaseIterable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical

    static let names = JSONNameTable(["passive", "active", "time-sensitive", "critical"])
}
