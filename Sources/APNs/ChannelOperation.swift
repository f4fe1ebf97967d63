/// What a request about broadcast channels asks for.
package enum ChannelOperation: String, Sendable, CaseIterable {
    /// `POST /4/broadcasts/apps/<bundle id>`.
    case publish
    /// `POST /1/apps/<bundle id>/channels`.
    case create
    /// `GET /1/apps/<bundle id>/channels`.
    case read
    /// `DELETE /1/apps/<bundle id>/channels`.
    case delete
    /// `GET /1/apps/<bundle id>/all-channels`.
    case list

    /// The operation of a path and a method; nil for a method that channels do not have, and for other paths.
    package init?(_ route: Route, method: Span<UInt8>) {
        switch route {
        case .device, .unknown: return nil
        case .broadcast: self = .publish
        case .allChannels: self = .list
        case .channels:
            if method.isEqual(to: "POST") {
                self = .create
            } else if method.isEqual(to: "GET") {
                self = .read
            } else if method.isEqual(to: "DELETE") {
                self = .delete
            } else {
                return nil
            }
        }
    }

    /// The checks of the operation, in order.
    package var order: [Check] {
        switch self {
        case .publish: Check.broadcastOrder
        case .create: Check.creationOrder
        case .read, .delete: Check.channelOrder
        case .list: Check.listOrder
        }
    }

    /// The words for people.
    package var words: StaticString {
        switch self {
        case .publish: "broadcast"
        case .create: "request to create a channel"
        case .read: "request to read a channel"
        case .delete: "request to delete a channel"
        case .list: "request to list channels"
        }
    }
}
