/// What the server counts of its connections for `GET /metrics`.
package struct AdminTraffic: Sendable {
    /// How long answers took.
    package struct Times: Sendable {
        /// The upper bounds of the classes, in milliseconds; what is slower is in one more class.
        package static let bounds: [Int64] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000]
        /// How many answers are in each class, not added up.
        package var counts = [UInt64](repeating: 0, count: bounds.count + 1)
        package var sumMilliseconds: UInt64 = 0

        package init() {}
    }

    /// Connections that are open.
    package var open = 0
    /// Connections since the start whose handshake succeeded, by the version of TLS that was agreed on.
    package var connections: [(tls: String, count: UInt64)] = []
    package var goAwaysSent: UInt64 = 0
    package var times = Times()

    package init() {}
}
