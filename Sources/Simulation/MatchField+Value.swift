import APNs
import HTTP
import JSON

/// Where the value of a field comes from.
extension MatchField {
    /// Calls `body` with the value of this field in the entry.
    func withValue<Result>(
        of entry: JournalEntry, _ scratch: MatchScratch, _ body: (MatchValue, Span<UInt8>) -> Result
    ) -> Result {
        let request = entry.content.request
        switch self {
        case .kind: return body(.plain, entry.content.kindBytes.span)
        case .device: return Self.with(entry.content.device, of: request, body)
        case .topic:
            guard let range = entry.content.channelRequest?.bundleID ?? request.valueRange(.apnsTopic) else {
                return Self.with(entry.content.defaultTopic, .plain, body)
            }
            return Self.with(range, of: request, body)
        case .collapseID: return Self.with(request.valueRange(.apnsCollapseID), of: request, body)
        case .channel:
            if let channel = entry.content.channelRequest?.channel { return Self.with(channel, .plain, body) }
            return Self.with(request.valueRange(.apnsChannelID), of: request, body)
        case .body: return Self.with(request.bodyRange, of: request, body)
        case .payloadBytes: return Self.with(String(request.bodyBytesReceived), .plain, body)
        case .findings:
            let words = scratch.findings(of: entry).sorted()
            return Self.with(words.isEmpty ? nil : words.joined(separator: " "), .plain, body)
        case .header(let name):
            return Self.with(
                request.fields.first { Self.isNamed(name, $0, in: request) }?.valueRange, of: request, body)
        case .payload(let path): return Self.with(path, of: entry, scratch, body)
        default: return Self.with(word(of: entry), .plain, body)
        }
    }

    /// Whether a value of this field passes; only header fields and findings can have several.
    func hasValue(in entry: JournalEntry, _ scratch: MatchScratch, _ passes: (MatchValue, Span<UInt8>) -> Bool) -> Bool
    {
        if case .findings = self {
            let words = scratch.findings(of: entry)
            return words.isEmpty ? passes(.absent, Span()) : words.contains { passes(.plain, Array($0.utf8).span) }
        }
        guard case .header(let name) = self else { return withValue(of: entry, scratch, passes) }
        let request = entry.content.request
        scratch.charge(request.fields.count)
        let fields = request.fields.filter { Self.isNamed(name, $0, in: request) }
        if fields.isEmpty { return passes(.absent, Span()) }
        return fields.contains { passes(.plain, request.storage.span.extracting($0.valueRange)) }
    }

    /// The value of a field that is not a run of the request.
    private func word(of entry: JournalEntry) -> String? {
        let content = entry.content
        switch self {
        case .pushType: return content.pushType?.rawValue
        case .priority: return content.outcome == .broken ? nil : String(content.priority)
        case .apnsID: return content.apnsID?.description
        case .environment: return content.environment.rawValue
        case .status: return content.status == 0 ? nil : String(content.status)
        case .reason: return content.reason?.word
        case .outcome: return content.outcome.rawValue
        case .keyID: return content.authentication.keyID
        case .teamID: return content.authentication.teamID
        case .certificate: return content.authentication.certificate
        case .connection: return "c\(content.connection.value.id)"
        case .receivedAt: return String(content.receivedAt)
        case .body, .payloadBytes, .findings: return nil
        case .rule: return content.rule?.id
        case .kind, .device, .topic, .collapseID, .channel, .payload, .header: return nil
        }
    }

    private static func with<Result>(
        _ range: Range<Int>?, of request: HTTPRequest, _ body: (MatchValue, Span<UInt8>) -> Result
    ) -> Result {
        guard let range else { return body(.absent, Span()) }
        return body(.plain, request.storage.span.extracting(range))
    }

    private static func with<Result>(
        _ text: String?, _ kind: MatchValue, _ body: (MatchValue, Span<UInt8>) -> Result
    ) -> Result {
        guard let text else { return body(.absent, Span()) }
        return body(kind, Array(text.utf8).span)
    }

    private static func with<Result>(
        _ path: String, of entry: JournalEntry, _ scratch: MatchScratch,
        _ body: (MatchValue, Span<UInt8>) -> Result
    ) -> Result {
        guard let document = scratch.document(of: entry) else { return body(.absent, Span()) }
        // Every member of the objects on the way may be looked at.
        scratch.charge(path.utf8.count + document.nodeCount / 2)
        guard let element = document.element(at: path) else { return body(.absent, Span()) }
        let storage = entry.content.request.storage
        let range = document.range(element)
        switch document.kind(element) {
        case .string:
            // Without escapes the text lies in the payload as it is, between the quotes.
            let inner = range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1)
            guard !storage[inner].contains(UInt8(ascii: "\\")) else {
                return with(document.string(element), .text, body)
            }
            return body(.text, storage.span.extracting(inner))
        case .number: return body(.number, storage.span.extracting(range))
        case .boolean: return body(.boolean, storage.span.extracting(range))
        case .null: return body(.null, storage.span.extracting(range))
        case .object, .array: return body(.structure, storage.span.extracting(range))
        }
    }

    private static func isNamed(_ name: String, _ field: HTTPRequest.Field, in request: HTTPRequest) -> Bool {
        request.storage[field.nameRange].lazy.map(\.lowercasedASCII).elementsEqual(name.utf8)
    }
}

extension JournalEntry.Authentication {
    /// The key id of a provider token.
    package var keyID: String? {
        if case .token(let keyID, _, _, _) = self { keyID } else { nil }
    }

    /// The team of a provider token.
    package var teamID: String? {
        if case .token(_, let teamID, _, _) = self { teamID } else { nil }
    }

    /// The subject of a client certificate.
    package var certificate: String? {
        if case .certificate(let subject) = self { subject } else { nil }
    }
}
