/// What APNs keeps of the messages of a channel for devices that are offline; fixed for the channel's life.
package enum MessageStoragePolicy: Int, Sendable, CaseIterable {
    /// Nothing.
    case none = 0
    /// The most recent message.
    case mostRecent = 1

    /// For how many seconds a message is kept at most.
    package static let longestStorage: Int64 = 8 * 3600

    /// The words for people.
    package var words: StaticString {
        switch self {
        case .none: "stores no message"
        case .mostRecent: "stores the most recent message"
        }
    }
}
