import HTTP

extension JournalEntry {
    /// Whether it is a push that was accepted for the device with this token in lower case.
    package func isAccepted(forDevice token: [UInt8]) -> Bool {
        guard content.outcome == .accepted, content.channelRequest == nil, let place = content.device,
            place.count == token.count
        else { return false }
        let request = content.request
        let bytes = request.storage.span.extracting(place)
        var position = 0
        while position < token.count {
            let byte = bytes[position]
            guard (byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) == token[position] else { return false }
            position += 1
        }
        return true
    }
}
