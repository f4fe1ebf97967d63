import APNs
import HTTP
import JSON

/// How a judgement about channels becomes a change of the store, an answer and an entry.
extension Simulator {
    /// The decision: what was asked for is done when nothing failed; refused with the first failure otherwise.
    func conclude(
        _ content: consuming JournalEntry.Content, _ call: ChannelCall, _ streams: UInt32?,
        _ scratch: inout DecisionScratch
    ) -> Decision {
        let id = content.apnsID ?? UUIDText.random(using: &scratch.random)
        content.apnsID = id
        let verdict = script.isActive ? consult(&content, &scratch) : nil
        if let verdict, let response = apply(verdict, to: &content, id: id, named: .apnsRequestID) {
            return decision(content, response, verdict, streams)
        }
        var response = HTTPResponse(status: 200, fields: [HTTPResponse.Field(.apnsRequestID, .id(id))])
        if content.failures.isEmpty {
            do throws(CheckFailure) {
                try perform(call, &content, &response, &scratch)
            } catch {
                // Another loop was faster.
                content.failures = [error]
            }
        }
        if let first = content.failures.first {
            content.outcome = .rejected
            content.reason = first.reason
            content.apnsUniqueID = nil
            response = refusal(first.reason, id: id, named: .apnsRequestID)
        }
        content.status = response.status
        if let verdict { return decision(content, response, verdict, streams) }
        return Decision(entry: JournalEntry(content), response: response, maxConcurrentStreams: streams)
    }

    private func perform(
        _ call: ChannelCall, _ content: inout JournalEntry.Content, _ response: inout HTTPResponse,
        _ scratch: inout DecisionScratch
    ) throws(CheckFailure) {
        switch call.operation {
        case .publish: try publish(call, &content, &response, &scratch)
        case .create: try create(call, &content, &response)
        case .read: read(call, &response)
        case .delete: try delete(call, &response)
        case .list, nil: list(call, &response)
        }
    }

    /// 200 with the id of the request and the one that names the message in Apple's console.
    private func publish(
        _ call: ChannelCall, _ content: inout JournalEntry.Content, _ response: inout HTTPResponse,
        _ scratch: inout DecisionScratch
    ) throws(CheckFailure) {
        guard let channel = call.channel, let id = content.apnsID else { return }
        let message = Channel.Message(
            requestID: id, publishedAt: call.now, priority: content.priority, expiration: content.expiration ?? 0,
            payload: Array(content.request.storage[content.request.bodyRange]))
        guard channels.publish(message, to: channel.id, of: call.app) else { throw gone(channel, call) }
        let uniqueID = UUIDText.random(using: &scratch.random)
        content.apnsUniqueID = uniqueID
        response.fields.append(HTTPResponse.Field(.apnsUniqueID, .id(uniqueID)))
    }

    /// 201 with the id of the channel.
    private func create(
        _ call: ChannelCall, _ content: inout JournalEntry.Content, _ response: inout HTTPResponse
    ) throws(CheckFailure) {
        guard let policy = call.policy else { return }
        let channel: Channel
        do throws(ChannelStore.CreationError) {
            channel = try channels.create(call.app, policy, now: call.now)
        } catch {
            throw Self.failure(error, call.app)
        }
        if let request = content.channelRequest {
            content.channelRequest = ChannelRequest(
                request.operation, bundleID: request.bundleID, channel: channel.id)
        }
        response.status = 201
        response.fields.append(HTTPResponse.Field(.apnsChannelID, .bytes(Array(channel.id.utf8))))
    }

    /// 200 with what the channel was created with.
    private func read(_ call: ChannelCall, _ response: inout HTTPResponse) {
        guard let channel = call.channel else { return }
        response.body = .bytes(
            Array(#"{"message-storage-policy":\#(channel.policy.rawValue),"push-type":"LiveActivity"}"#.utf8))
    }

    /// 204.
    private func delete(_ call: ChannelCall, _ response: inout HTTPResponse) throws(CheckFailure) {
        guard let channel = call.channel else { return }
        guard channels.delete(channel.id, of: call.app) else { throw gone(channel, call) }
        response.status = 204
    }

    /// 200 with the ids of all channels of the app, the oldest first.
    private func list(_ call: ChannelCall, _ response: inout HTTPResponse) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("channels")
        writer.beginArray()
        for channel in channels.channels(of: call.app, now: call.now) { writer.string(channel.id) }
        writer.endArray()
        writer.endObject()
        response.body = .bytes(writer.bytes)
    }

    private func gone(_ channel: Channel, _ call: ChannelCall) -> CheckFailure {
        channelFailure(channel.id, call.app, .deleted, call.operation ?? .list)
    }
}
