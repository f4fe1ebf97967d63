/// What is known beside the bytes of a payload that is judged without a request around it.
package struct PayloadQuestion: Sendable {
    /// The `apns-push-type`; nil to infer it from topic and payload.
    package var pushType: PushType?
    /// The `apns-topic`; nil when it is not to be looked at.
    package var topic: String?
    /// The device token; nil when it is not to be looked at.
    package var device: String?
    /// The `apns-priority`; nil for the one that Apple names for the push type.
    package var priority: UInt8?
    package var profile = Profile.strict
    /// How many bytes the payloads of most push types may have.
    package var ordinaryLimit = PushTypeRow.ordinaryLimit
    /// Whether the payload is to be broadcast, and not sent to a device.
    package var isBroadcast = false

    /// A question about the payload alone.
    package init() {}

    /// The push type that is not up to the payload.
    var declaredType: PushType? { isBroadcast ? .liveactivity : pushType }
}
