import APNs
import HTTP
import JSON
import TestFixtures
import Testing

/// One row of Tests/Vectors/payloads.json: a payload, what is found in it, and how it is answered.
struct PayloadVector: Sendable, CustomTestStringConvertible {
    let name: String
    /// The payload's bytes.
    let bytes: [UInt8]
    let context: PayloadRules.Context
    let topic: String?
    /// Code and path of each finding: `P010 aps.badge`.
    let findings: [String]
    /// The status in the profiles strict, live and lenient.
    let answers: [Profile: Int]

    var testDescription: String { name }

    static let all: [PayloadVector] = {
        do {
            return try load()
        } catch {
            fatalError("Tests/Vectors/payloads.json: \(error)")
        }
    }()

    /// Reads the rows with our own scanner, which knows the bytes of each payload as they stand in the file.
    private static func load() throws -> [PayloadVector] {
        let file = try Vectors.bytes("payloads.json")
        var document = JSONDocument()
        if let fault = document.parse(file) { throw fault }
        return document.children(of: document.root).map { row in
            func member(_ name: String) -> JSONElement? { document.member(named: name, of: row) }
            func text(_ name: String) -> String? { member(name).flatMap { document.string($0) } }
            func number(_ name: String) -> Int? { member(name).flatMap { document.integer($0) }.map(Int.init) }
            func truth(_ name: String) -> Bool? { member(name).flatMap { document.boolean($0) } }
            let bytes =
                member("payload").map { Array(file[document.range($0)]) } ?? Array((text("text") ?? "").utf8)
            let topic = text("topic")
            let statuses = member("answers").map { document.children(of: $0).compactMap { document.integer($0) } } ?? []
            return PayloadVector(
                name: text("name") ?? "", bytes: bytes,
                context: PayloadRules.Context(
                    pushType: text("type").flatMap(PushType.init(rawValue:)) ?? .alert,
                    isTypeDeclared: truth("declared") ?? true, priority: UInt8(number("priority") ?? 10),
                    topicFamily: PayloadRules.TopicFamily(Array((topic ?? "").utf8).span),
                    isBroadcast: truth("broadcast") ?? false,
                    limit: number("limit") ?? 4096),
                topic: topic,
                findings: member("findings").map { document.children(of: $0).compactMap { document.string($0) } } ?? [],
                answers: Dictionary(uniqueKeysWithValues: zip([.strict, .live, .lenient], statuses.map(Int.init))))
        }
    }

    /// What the rules say of the payload.
    func judged() -> (document: JSONDocument, findings: [Finding]) {
        var document = JSONDocument()
        guard document.parse(bytes) == nil, document.kind(document.root) == .object else { return (document, []) }
        return (document, PayloadRules.examine(document, context))
    }
}
