/// What Apple's table says of one push type.
package struct PushTypeRow: Sendable {
    /// Whether a client certificate may send the type.
    package enum CertificateUse: String, Sendable {
        /// Any certificate for the topic.
        case any
        /// A certificate that lists the topic in its extensions.
        case listed
        /// None; the type needs a provider token.
        case never
    }

    /// The value of `apns-push-type`.
    package let name: StaticString
    /// What follows the bundle id in the topic.
    package let topicSuffix: StaticString?
    /// How many bytes a payload may have.
    package let payloadLimit: Int
    /// The priorities that Apple names for the type; all three where it names none.
    package let advisedPriorities: [UInt8]
    package let certificateUse: CertificateUse
    /// Whether `aps` must be there in the payload.
    package let requiresAPS: Bool
    /// What the type is for.
    package let meaning: StaticString
    /// Apple's page.
    package let source: StaticString

    init(
        _ name: StaticString, suffix: StaticString? = nil, limit: Int = PushTypeRow.ordinaryLimit,
        priorities: [UInt8] = [10, 5, 1], certificate: CertificateUse, requiresAPS: Bool, meaning: StaticString,
        source: StaticString = ApplePage.sending
    ) {
        self.name = name
        topicSuffix = suffix
        payloadLimit = limit
        advisedPriorities = priorities
        certificateUse = certificate
        self.requiresAPS = requiresAPS
        self.meaning = meaning
        self.source = source
    }

    /// How many bytes the payload of most types may have.
    package static let ordinaryLimit = 4096
    /// How many bytes the payload of a VoIP push or a broadcast may have.
    package static let extendedLimit = 5120
}
