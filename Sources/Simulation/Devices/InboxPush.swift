import APNs
import HTTP
import JSON

/// An accepted push as its device sees it.
struct InboxPush {
    let entry: JournalEntry

    init(_ entry: JournalEntry) {
        self.entry = entry
    }

    var seq: UInt64 { entry.seq }
    /// When it was accepted, in milliseconds of the server's clock.
    var acceptedAt: Int64 { entry.content.serverTime }
    var pushType: PushType? { entry.content.pushType }

    var topic: String {
        let content = entry.content
        return content.topic.map { content.request.text(in: $0) } ?? content.defaultTopic ?? ""
    }

    var collapseID: String? {
        entry.content.collapseID.map { entry.content.request.text(in: $0) }
    }

    /// Until when APNs stores it, in milliseconds of the server's clock; nil when it makes one try.
    var storedUntil: Int64? {
        let longest = acceptedAt &+ Inbox.longestStorage
        guard let expiration = entry.content.expiration else { return longest }
        guard expiration > acceptedAt / 1000 else { return nil }
        return expiration > longest / 1000 ? longest : expiration * 1000
    }

    /// The payload; not valid when it is no JSON.
    var payload: JSONDocument {
        var document = JSONDocument()
        _ = document.parse(entry.content.request.storage, in: entry.content.request.bodyRange)
        return document
    }
}
