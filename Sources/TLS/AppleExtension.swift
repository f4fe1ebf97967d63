/// The extensions by which Apple's push certificates say what they are for.
enum AppleExtension {
    /// A push certificate for the development environment; the value is NULL.
    static let development = "1.2.840.113635.100.6.3.1"
    /// A push certificate for the production environment; the value is NULL.
    static let production = "1.2.840.113635.100.6.3.2"
    /// The topics of VoIP pushes: UTF8Strings.
    static let voipTopics = "1.2.840.113635.100.6.3.4"
    /// All topics: a sequence that alternates a topic and a sequence of its kinds.
    static let topics = "1.2.840.113635.100.6.3.6"

    /// No more topics than this are read from a certificate.
    static let maximumTopics = 256
    /// No more kinds than this are read for a topic.
    static let maximumKinds = 16

    /// The topics in a value of ``topics``, as far as the value can be read.
    static func readTopics(_ value: [UInt8]) -> [PeerCertificate.Topic] {
        var outer = DERReader(value[...])
        guard let content = outer.read(DERTag.sequence) else { return [] }
        var reader = DERReader(content)
        var topics: [PeerCertificate.Topic] = []
        while let element = reader.readAny() {
            if let name = text(element) {
                guard topics.count < maximumTopics else { break }
                topics.append(PeerCertificate.Topic(name))
            } else if element.tag == DERTag.sequence, !topics.isEmpty {
                topics[topics.count - 1].kinds = texts(element.content, limit: maximumKinds)
            }
        }
        return topics
    }

    /// The topics in a value of ``voipTopics``: strings one after the other, in a sequence or bare.
    static func readVoIPTopics(_ value: [UInt8]) -> [PeerCertificate.Topic] {
        var reader = DERReader(value[...])
        let content = reader.read(DERTag.sequence) ?? value[...]
        return texts(content, limit: maximumTopics).map { PeerCertificate.Topic($0, kinds: ["voip"]) }
    }

    /// The value of ``topics`` for a certificate to be issued.
    static func value(_ topics: [PeerCertificate.Topic]) -> [UInt8] {
        let content = topics.flatMap { topic in
            DERWriter.utf8String(topic.name)
                + DERWriter.element(DERTag.sequence, topic.kinds.flatMap(DERWriter.utf8String))
        }
        return DERWriter.element(DERTag.sequence, content)
    }

    private static func texts(_ content: ArraySlice<UInt8>, limit: Int) -> [String] {
        var reader = DERReader(content)
        var texts: [String] = []
        while texts.count < limit, let element = reader.readAny() {
            if let text = text(element) { texts.append(text) }
        }
        return texts
    }

    /// A string's text; nil for other elements and for bytes that are not UTF-8.
    private static func text(_ element: (tag: UInt8, content: ArraySlice<UInt8>)) -> String? {
        guard element.tag == DERTag.utf8String || element.tag == DERTag.ia5String, !element.content.isEmpty else {
            return nil
        }
        return String(validating: element.content, as: UTF8.self)
    }
}
