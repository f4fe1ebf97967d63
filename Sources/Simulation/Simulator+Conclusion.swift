import APNs
import HTTP

/// How a judgement becomes an answer and an entry.
extension Simulator {
    /// Puts the failures in the order of the checks, one for each, without those that the profile forgives.
    ///
    /// `deviceChecks` are those of ``deviceChecks`` that were made.
    func settle(_ content: inout JournalEntry.Content, _ identity: SenderIdentity, deviceChecks: CheckSet) {
        content.unmade = CheckSet(unmadeIn: content, identity, configuration, deviceChecks: deviceChecks)
        if configuration.profile == .lenient { forgive(&content.failures, &content.findings) }
        content.failures.sort { $0.check < $1.check }
        let clockWords = content.serverClockWords
        if !clockWords.isEmpty {
            for index in content.failures.indices
            where content.failures[index].check == .tokenAge || content.failures[index].check == .tokenRefresh {
                content.failures[index].explanation += clockWords
            }
        }
        var last: Check?
        content.failures.removeAll { failure in
            defer { last = failure.check }
            return failure.check == last
        }
    }

    /// In the lenient profile nobody must authenticate, and a topic that does not go with the push type is a finding.
    private func forgive(_ failures: inout [CheckFailure], _ findings: inout [Finding]) {
        failures.removeAll { failure in
            guard forgives(failure.check) else { return false }
            if failure.check == .pushTypeTopic {
                findings.append(Finding(topicNotOfType: failure))
            }
            return true
        }
    }

    /// The decision: accepted when nothing failed, refused with the first failure otherwise, unless a script says more.
    func conclude(
        _ content: consuming JournalEntry.Content, _ streams: UInt32?, _ scratch: inout DecisionScratch
    ) -> Decision {
        if script.isActive || mayBeMagic(content) { return concludeScripted(content, streams, &scratch) }
        let response = answer(&content, &scratch)
        return Decision(entry: JournalEntry(consume content), response: response, maxConcurrentStreams: streams)
    }

    /// The same for a request that the script, or its device token, may have something to say about.
    private func concludeScripted(
        _ content: consuming JournalEntry.Content, _ streams: UInt32?, _ scratch: inout DecisionScratch
    ) -> Decision {
        let id = content.apnsID ?? UUIDText.random(using: &scratch.random)
        content.apnsID = id
        guard let verdict = consult(&content, &scratch) else {
            let response = answer(&content, &scratch)
            return Decision(entry: JournalEntry(consume content), response: response, maxConcurrentStreams: streams)
        }
        let scripted = apply(verdict, to: &content, id: id, named: .apnsID)
        let response = scripted ?? answer(&content, &scratch)
        return decision(content, response, verdict, streams)
    }

    /// Whether the device token may spell an outcome.
    @inline(__always)
    private func mayBeMagic(_ content: borrowing JournalEntry.Content) -> Bool {
        guard let device = content.device, configuration.acceptsMagicTokens else { return false }
        return MagicToken.isLikely(content.request.storage.span.extracting(device))
    }

    /// The ordinary answer, with which the entry is filled in.
    @inline(__always)
    private func answer(_ content: inout JournalEntry.Content, _ scratch: inout DecisionScratch) -> HTTPResponse {
        let id = content.apnsID ?? UUIDText.random(using: &scratch.random)
        content.apnsID = id
        if let first = content.failures.first {
            content.outcome = .rejected
            content.status = first.reason.status
            content.reason = first.reason
            return refusal(first.reason, id: id, timestamp: first.timestamp)
        }
        content.status = 200
        if case .sandbox = content.environment { content.apnsUniqueID = UUIDText.random(using: &scratch.random) }
        return acceptance(id: id, uniqueID: content.apnsUniqueID)
    }

    /// 200: the id, and in the sandbox a second one that names the notification in Apple's console.
    private func acceptance(id: UUIDText, uniqueID: UUIDText?) -> HTTPResponse {
        HTTPResponse(status: 200, .apnsID, id, .apnsUniqueID, uniqueID)
    }

    /// The refusal with a reason.
    func refusal(
        _ reason: Reason, id: UUIDText, named name: HeaderName = .apnsID, timestamp: Int64? = nil
    ) -> HTTPResponse {
        var fields = [HTTPResponse.Field(name, .id(id))]
        if configuration.errorContentType {
            fields.append(HTTPResponse.Field(.contentType, .bytes(Array("application/json".utf8))))
        }
        let body: HTTPResponse.Body =
            if let timestamp {
                .bytes(reason.body(timestamp: timestamp))
            } else {
                .constant(reason.body(documented: configuration.documentedSpelling))
            }
        return HTTPResponse(status: reason.status, fields: fields, body: body)
    }

    /// The decision after the inspection log refused to take an accepted push: 503 `ServiceUnavailable`.
    package func unavailable(_ decision: Decision, because failure: String) -> Decision {
        var content = decision.entry.content
        let checkFailure = CheckFailure(
            .serviceAvailable, .serviceUnavailable, expected: "an inspection log that can be written", actual: failure,
            explanation: "The push was valid, but the inspection log cannot be written (\(failure)).")
        content.outcome = .rejected
        content.status = Reason.serviceUnavailable.status
        content.reason = .serviceUnavailable
        content.failures = [checkFailure]
        content.apnsUniqueID = nil
        var scratch = FastRandom()
        let id = content.apnsID ?? UUIDText.random(using: &scratch)
        content.apnsID = id
        let name: HeaderName = content.channelRequest == nil ? .apnsID : .apnsRequestID
        return Decision(
            entry: JournalEntry(content), response: refusal(.serviceUnavailable, id: id, named: name),
            action: decision.action,
            maxConcurrentStreams: decision.maxConcurrentStreams)
    }
}
