/// The kinds of requests that APNs takes; the raw value is the word in entries and filters.
package enum RequestKind: String, Sendable, CaseIterable {
    /// A push to one device.
    case device
    /// A message to all who subscribe to a channel.
    case broadcast
    /// A request that manages channels.
    case channels
}
