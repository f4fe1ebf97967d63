package import APNs
package import HTTP

/// A broadcast channel of one app in one environment.
package struct Channel: Sendable {
    /// An app in one environment; channels do not cross the border.
    package struct App: Sendable, Hashable {
        package var environment: Environment
        package var bundleID: String

        package init(_ environment: Environment, _ bundleID: String) {
            self.environment = environment
            self.bundleID = bundleID
        }
    }

    /// The message that was published last.
    package struct Message: Sendable {
        /// The id that the sender got.
        package var requestID: UUIDText
        /// When it was published, in milliseconds of the server's clock.
        package var publishedAt: Int64
        package var priority: UInt8
        /// The value of `apns-expiration`.
        package var expiration: Int64
        /// How many bytes the payload has.
        package var size: Int
        /// Until when it is stored, in seconds since 1970; nil when it is not.
        package var storedUntil: Int64?
        /// The payload of a stored message.
        package var payload: [UInt8]

        package init(
            requestID: UUIDText, publishedAt: Int64, priority: UInt8, expiration: Int64, payload: [UInt8]
        ) {
            self.requestID = requestID
            self.publishedAt = publishedAt
            self.priority = priority
            self.expiration = expiration
            size = payload.count
            self.payload = payload
        }
    }

    package let id: String
    package let app: App
    package let policy: MessageStoragePolicy
    /// When it was created, in milliseconds of the server's clock.
    package let createdAt: Int64
    /// The place in the order of creation.
    let number: UInt64
    /// How many messages were published.
    package var published = 0
    package var lastMessage: Message?

    /// Takes a message, and stores it as the policy and the expiration say.
    mutating func publish(_ message: Message) {
        var message = message
        let now = message.publishedAt / 1000
        if policy == .mostRecent, message.expiration > now {
            message.storedUntil = min(message.expiration, now + MessageStoragePolicy.longestStorage)
        } else {
            message.payload = []
        }
        published += 1
        lastMessage = message
    }

    /// Drops the payload of a message whose time is over, at milliseconds of the server's clock.
    mutating func expire(now: Int64) {
        guard let until = lastMessage?.storedUntil, until <= now / 1000 else { return }
        lastMessage?.storedUntil = nil
        lastMessage?.payload = []
    }
}
