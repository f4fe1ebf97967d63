package import APNs
import JSON

/// What an entry keeps of a broadcast or of a request that manages channels.
///
/// A class, so that an entry of a device push pays no more for it than an empty reference.
package final class ChannelRequest: Sendable {
    /// What was asked for; nil when the method is none that channels have.
    package let operation: ChannelOperation?
    package let kind: RequestKind
    /// Where the bundle id lies in the request's storage.
    package let bundleID: Range<Int>
    /// The channel: the one that the request names, or the one that was created.
    package let channel: String?
    /// The members of the entry's JSON that say so, each with a comma before it.
    let json: [UInt8]

    init(_ operation: ChannelOperation?, bundleID: Range<Int>, channel: String?) {
        self.operation = operation
        kind = operation == .publish ? .broadcast : .channels
        self.bundleID = bundleID
        self.channel = channel
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("kind")
        writer.string(kind.rawValue)
        writer.key("operation")
        writer.string(operation?.rawValue)
        writer.key("channel")
        writer.string(channel)
        json = [UInt8(ascii: ",")] + writer.bytes.dropFirst()
    }

    /// The checks of the request, in order.
    package var order: [Check] { operation?.order ?? Check.listOrder }
}

extension JournalEntry.Content {
    /// What kind of request this was; what broke before it was a request counts as a device push.
    package var kind: RequestKind { channelRequest?.kind ?? .device }

    /// The word of the kind.
    var kindBytes: [UInt8] {
        switch kind {
        case .device: Self.deviceBytes
        case .broadcast: Self.broadcastBytes
        case .channels: Self.channelsBytes
        }
    }

    private static let deviceBytes = Array(RequestKind.device.rawValue.utf8)
    private static let broadcastBytes = Array(RequestKind.broadcast.rawValue.utf8)
    private static let channelsBytes = Array(RequestKind.channels.rawValue.utf8)
}
