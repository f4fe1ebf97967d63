import APNs
import HTTP
import JSON

/// The payload, what a phone would show of it, and until when.
extension EntryRenderer {
    /// A payload up to this size stands in an entry as JSON; a larger one is shown as a text that is cut.
    static let embeddedPayloadLimit = 64 << 10
    /// How many bytes of a payload that is no JSON are shown; all are in `/raw`.
    static let shownPayloadLimit = 4096

    /// Adds the payload and what is known of it.
    func writePayload(_ entry: JournalEntry, of storage: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        let start = entry.content.request.bodyStart
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: storage[start...])
        let facts =
            entry.content.payload.form == .unknown ? Self.read(entry.content.request) : entry.content.payload
        if facts.form == .json, unsafe !bytes.isEmpty, bytes.count <= Self.embeddedPayloadLimit {
            buffer.append(",\"payload\":")
            unsafe buffer.append(onOneLine: bytes)
        } else {
            unsafe writeUnreadable(bytes, dropped: entry.content.request.droppedBodyBytes, to: &buffer)
        }
        buffer.append(",\"payloadBytes\":")
        buffer.append(integer: bytes.count + entry.content.request.droppedBodyBytes)
        buffer.append(",\"payloadLimit\":")
        buffer.append(integer: entry.content.payloadLimit)
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
    private func writeUnreadable(
        _ bytes: UnsafeRawBufferPointer, dropped droppedBytes: Int, to buffer: inout LineBuffer
    ) {
        buffer.append(",\"payload\":null")
        guard unsafe !bytes.isEmpty else { return }
        let isCut = droppedBytes > 0 || bytes.count > Self.shownPayloadLimit
        let shown = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, Self.shownPayloadLimit)])
        if let length = unsafe Self.textLength(shown, isCut: isCut) {
            buffer.append(",\"payloadText\":")
            unsafe buffer.append(string: UnsafeRawBufferPointer(rebasing: shown[..<length]))
        } else {
            buffer.append(",\"payloadBase64\":\"")
            unsafe buffer.append(base64: shown)
            buffer.append("\"")
        }
        if isCut { buffer.append(",\"payloadCut\":true") }
    }

    /// How many of the bytes are whole characters of UTF-8, when at most the last one is cut; nil for other bytes.
    private static func textLength(_ bytes: UnsafeRawBufferPointer, isCut: Bool) -> Int? {
        for dropped in 0...(isCut ? min(3, bytes.count) : 0) {
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast(dropped))
            if unsafe String(validating: part, as: UTF8.self) != nil { return bytes.count - dropped }
        }
        return nil
    }

    /// Says what `apns-expiration` asks for.
    func writeExpiration(
        _ entry: JournalEntry, _ places: RequestPlaces, of storage: UnsafeRawBufferPointer,
        to buffer: inout LineBuffer
    ) {
        guard let range = places.expiration else {
            buffer.append(
                ",\"expiration\":{\"header\":null,\"meaning\":\"none given: stored for as long as APNs does\"}")
            return
        }
        unsafe buffer.append(",\"expiration\":{\"header\":", range, of: storage, isPlain: places.isPlain)
        switch entry.content.expiration {
        case 0:
            buffer.append(",\"meaning\":\"try once, do not store\"}")
        case let seconds? where seconds > entry.content.serverTime / 1000:
            buffer.append(",\"meaning\":\"store until ")
            buffer.append(text: TimeText.text(seconds: seconds))
            buffer.append("\"}")
        case .some:
            buffer.append(",\"meaning\":\"over at arrival: try once, do not store\"}")
        case nil:
            buffer.append(",\"meaning\":null}")
        }
    }
}
