package import JSON

/// Apple's key tables applied to one payload; pure.
package enum PayloadRules {
    /// The topics whose pushes have rules of their own, by how they begin.
    package enum TopicFamily: Sendable {
        /// A bundle id, with or without the suffix of a push type.
        case app
        /// `pass.`: a Wallet pass, which is sent an empty object.
        case pass
        /// `web.`: a website in Safari on a Mac.
        case website

        /// The family of a topic.
        package init(_ topic: Span<UInt8>) {
            if topic.hasPrefix("pass.") {
                self = .pass
            } else if topic.hasPrefix("web.") {
                self = .website
            } else {
                self = .app
            }
        }
    }

    /// What the rules need to know besides the payload.
    package struct Context: Sendable {
        /// The push type of the header, or the inferred one.
        package var pushType: PushType
        /// Whether the request had an `apns-push-type` header.
        package var isTypeDeclared: Bool
        package var priority: UInt8
        package var topicFamily: TopicFamily
        package var isBroadcast: Bool
        /// How many bytes the payload may have.
        package var limit: Int

        package init(
            pushType: PushType, isTypeDeclared: Bool = true, priority: UInt8 = 10,
            topicFamily: TopicFamily = .app, isBroadcast: Bool = false, limit: Int = 4096
        ) {
            self.pushType = pushType
            self.isTypeDeclared = isTypeDeclared
            self.priority = priority
            self.topicFamily = topicFamily
            self.isBroadcast = isBroadcast
            self.limit = limit
        }
    }

    /// How many remarks are made about one payload; errors may be twice as many.
    package static let maximumFindings = 50
    /// From how many percent of the size limit on a payload is worth a remark.
    package static let sizeAdvicePercent = 90

    /// All findings about a valid document, errors and advice alike: first about the request, then in the order of the
    /// payload, then about what is missing, at last about the payload as a whole. For a payload that is in order the
    /// answer is the empty array, and nothing is allocated.
    package static func examine(_ document: JSONDocument, _ context: Context) -> [Finding] {
        var facts = PayloadFacts()
        return examine(document, context, &facts)
    }

    /// The same; `facts` are those of the payload, where they were noted on the way.
    package static func examine(
        _ document: JSONDocument, _ context: Context, _ facts: inout PayloadFacts
    ) -> [Finding] {
        var findings: [Finding] = []
        PayloadExamination(document, context).examine(&findings, &facts)
        return findings
    }

    /// The push type of a request without the header: `mdm` key, then the topic's suffix, then `content-available`
    /// alone, else alert.
    package static func inferredType(_ document: JSONDocument, topicSuffix: PushType?) -> PushType {
        if document.member("mdm", of: document.root) != nil { return .mdm }
        if let topicSuffix { return topicSuffix }
        guard let aps = document.member("aps", of: document.root), has("content-available", aps, document) else {
            return .alert
        }
        let isVisible = has("alert", aps, document) || has("badge", aps, document) || has("sound", aps, document)
        return isVisible ? .alert : .background
    }

    /// Whether an object has a member that is not null.
    private static func has(_ name: StaticString, _ object: JSONElement, _ document: JSONDocument) -> Bool {
        guard let member = document.member(name, of: object) else { return false }
        return document.kind(member) != .null
    }
}
