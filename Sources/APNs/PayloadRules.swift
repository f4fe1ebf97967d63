package import JSON

/// Apple's key tables applied to one payload; pure.
package enum PayloadRules {
    /// What the rules need to know besides the payload.
    package struct Context: Sendable {
        /// The push type of the header, or the inferred one.
        package var pushType: PushType
        /// Whether the request had an `apns-push-type` header.
        package var isTypeDeclared: Bool
        package var priority: UInt8
        /// Whether the topic begins with `pass.` (Wallet).
        package var isPassTopic: Bool
        package var isBroadcast: Bool
        package var limit: Int

        package init(
            pushType: PushType, isTypeDeclared: Bool = true, priority: UInt8 = 10, isPassTopic: Bool = false,
            isBroadcast: Bool = false, limit: Int = 4096
        ) {
            self.pushType = pushType
            self.isTypeDeclared = isTypeDeclared
            self.priority = priority
            self.isPassTopic = isPassTopic
            self.isBroadcast = isBroadcast
            self.limit = limit
        }
    }

    /// All findings about a valid document, in the order of the payload; errors and advice alike.
    package static func examine(_ document: JSONDocument, _ context: Context) -> [Finding] { [] }

    /// The push type of a request without the header: `mdm` key, then the topic's suffix, then `content-available` alone, else alert.
    package static func inferredType(_ document: JSONDocument, topicSuffix: PushType?) -> PushType {
        if document.member("mdm", of: document.root) != nil { return .mdm }
        return topicSuffix ?? .alert
    }
}
