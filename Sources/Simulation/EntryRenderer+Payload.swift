import HTTP
import JSON

/// The payload, what a phone would show of it, and the header fields.
extension EntryRenderer {
    /// A payload up to this size stands in an entry as JSON; a larger one is shown as a text that is cut.
    static let embeddedPayloadLimit = 64 << 10
    /// How many bytes of a payload that is no JSON are shown; all are in `/raw`.
    static let shownPayloadLimit = 4096

    /// Adds the payload and what is known of it.
    func writePayload(
        _ content: JournalEntry.Content, of storage: UnsafeRawBufferPointer, to buffer: inout LineBuffer
    ) {
        let body = content.request.bodyRange
        let facts = content.payload.form == .unknown ? Self.read(content.request) : content.payload
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: storage[body])
        if facts.form == .json, body.count <= Self.embeddedPayloadLimit {
            buffer.append(",\"payload\":")
            unsafe buffer.append(onOneLine: bytes)
        } else {
            unsafe writeUnreadable(bytes, to: &buffer)
        }
        buffer.append(",\"payloadBytes\":")
        buffer.append(integer: body.count)
        buffer.append(",\"payloadLimit\":")
        buffer.append(integer: content.payloadLimit)
        unsafe buffer.append(",\"display\":{\"title\":", facts.title, of: storage)
        unsafe buffer.append(",\"subtitle\":", facts.subtitle, of: storage)
        unsafe buffer.append(",\"body\":", facts.body, of: storage)
        unsafe buffer.append(",\"badge\":", facts.badge, of: storage)
        unsafe buffer.append(",\"sound\":", facts.sound, of: storage)
        unsafe buffer.append(",\"thread\":", facts.thread, of: storage)
        buffer.append(facts.isSilent ? ",\"silent\":true}" : ",\"silent\":false}")
    }

    /// Reads a payload that the decision did not come to.
    private static func read(_ request: borrowing HTTPRequest) -> PayloadFacts {
        var document = JSONDocument()
        _ = document.parse(request.storage, in: request.bodyRange)
        return PayloadFacts(document)
    }

    /// Shows a payload that is no JSON: as a text if it is one, else in base64; cut when it is long.
    private func writeUnreadable(_ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        buffer.append(",\"payload\":null")
        guard unsafe !bytes.isEmpty else { return }
        let isCut = bytes.count > Self.shownPayloadLimit
        let shown = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, Self.shownPayloadLimit)])
        if unsafe UTF8Sequence.isWhole(shown, mayBeCut: isCut) {
            buffer.append(",\"payloadText\":")
            unsafe buffer.append(string: shown)
        } else {
            buffer.append(",\"payloadBase64\":\"")
            unsafe buffer.append(base64: shown)
            buffer.append("\"")
        }
        if isCut { buffer.append(",\"payloadCut\":true") }
    }

    /// Adds all fields as pairs in the order of arrival, pseudo-header fields included; the signature of a provider token is
    /// left out.
    func writeHeaders(
        _ request: borrowing HTTPRequest, of storage: UnsafeRawBufferPointer, to buffer: inout LineBuffer
    ) {
        buffer.append(",\"headers\":[")
        var isFirst = true
        for field in request.fields {
            buffer.append(isFirst ? "[\"" : ",[\"")
            isFirst = false
            unsafe buffer.append(escaping: UnsafeRawBufferPointer(rebasing: storage[field.nameRange]))
            buffer.append("\",\"")
            let value = unsafe UnsafeRawBufferPointer(rebasing: storage[field.valueRange])
            if field.name == .authorization {
                unsafe buffer.append(redacting: value)
            } else {
                unsafe buffer.append(escaping: value)
            }
            buffer.append("\"]")
        }
        buffer.append("]")
    }

    /// Says what `apns-expiration` asks for.
    func writeExpiration(
        _ range: Range<Int>?, of storage: UnsafeRawBufferPointer, now: Int64, to buffer: inout LineBuffer
    ) {
        guard let range else {
            buffer.append("{\"header\":null,\"meaning\":\"not given: stored for as long as APNs does\"}")
            return
        }
        let value = unsafe UnsafeRawBufferPointer(rebasing: storage[range])
        unsafe buffer.append("{\"header\":", range, of: storage)
        if unsafe value.count == 1 && value[0] == UInt8(ascii: "0") {
            buffer.append(",\"meaning\":\"try once, do not store\"}")
            return
        }
        buffer.append(",\"meaning\":\"")
        if let seconds = unsafe Int64(String(decoding: value, as: UTF8.self)) {
            if seconds > now / 1000 {
                buffer.append("store until ")
                buffer.append(text: TimeText.text(seconds: seconds))
            } else {
                buffer.append("over at arrival: try once, do not store")
            }
        } else {
            buffer.append("not a number of seconds since 1970")
        }
        buffer.append("\"}")
    }
}
