/// Why a device shows a push no more, or never did.
package enum InboxDropCause: Sendable, Equatable {
    /// Its time was over before the device was online.
    case expired
    /// `apns-expiration` 0, or a time that was over at arrival, while the device was offline.
    case notStored
    /// A later push with the same collapse id took its place.
    case collapsed(by: UInt64)
    /// A later push took its place in the store, which holds one for each topic.
    case replaced(by: UInt64)
    /// The app was removed before the device was online.
    case appRemoved
    /// The token expired before the device was online.
    case tokenExpired
    /// An update of a Live Activity with a timestamp before the one that it shows.
    case outdated(by: UInt64)
    /// An update of a Live Activity that had ended.
    case activityEnded
    /// The payload is no JSON, or has nothing that the device knows.
    case unreadable
    /// There is nothing to show, to play or to wake.
    case nothingToShow
    /// A script discarded it.
    case discarded

    /// The cause in words; `id` names an entry.
    package func words(_ id: (UInt64) -> String) -> String {
        switch self {
        case .expired: "expired before delivery"
        case .notStored: "not stored: the device was offline, and apns-expiration asked for one try"
        case .collapsed(let seq): "collapsed by \(id(seq))"
        case .replaced(let seq): "replaced by \(id(seq)): one push is stored for a device and topic"
        case .appRemoved: "the app was removed before delivery"
        case .tokenExpired: "the token expired before delivery"
        case .outdated(let seq): "its timestamp is before that of \(id(seq))"
        case .activityEnded: "the Live Activity had ended"
        case .unreadable: "the device cannot read the payload"
        case .nothingToShow: "nothing to show, to play or to wake"
        case .discarded: "discarded by a script"
        }
    }
}
