/// Topics that a key or certificate covers: a bundle id, or a pattern in which `*` stands for any characters.
package struct TopicPattern: Sendable, Equatable {
    /// The pattern as it was given.
    package let text: String
    private let bytes: [UInt8]

    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Whether the pattern covers a topic: as it is, or without the suffix of its push type.
    package func covers(_ topic: Span<UInt8>, suffix: PushType?) -> Bool {
        if matches(topic) { return true }
        guard let length = suffix?.row.topicSuffix?.utf8CodeUnitCount, length < topic.count else { return false }
        return matches(topic.extracting(first: topic.count - length))
    }

    /// Whether the pattern matches all of these bytes. The time is bounded by the product of both lengths.
    package func matches(_ topic: Span<UInt8>) -> Bool {
        var position = 0
        var place = 0
        var star: Int?
        var resume = 0
        while position < topic.count {
            if place < bytes.count, bytes[place] == UInt8(ascii: "*") {
                star = place
                resume = position
                place += 1
            } else if place < bytes.count, bytes[place] == topic[position] {
                place += 1
                position += 1
            } else if let star {
                // The last star takes one byte more.
                resume += 1
                position = resume
                place = star + 1
            } else {
                return false
            }
        }
        while place < bytes.count, bytes[place] == UInt8(ascii: "*") { place += 1 }
        return place == bytes.count
    }
}
