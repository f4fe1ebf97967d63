import JSON
import Simulation

/// The members of a JSON body, checked against the names that the route knows.
struct BodyFields {
    private(set) var document = JSONDocument()
    private(set) var members: [String: JSONElement] = [:]

    /// Reads a body; an empty one has no members.
    init(_ bytes: [UInt8], _ fields: [Parameter]) throws(Problem) {
        if bytes.isEmpty { return }
        if let fault = document.parse(bytes, in: bytes.indices) {
            throw Problem(
                .badBody, "The body is not JSON: \(fault.message) (line \(fault.line), column \(fault.column)).")
        }
        guard document.kind(document.root) == .object else {
            throw Problem(.badBody, "The body is a JSON \(document.kind(document.root)); expected an object.")
        }
        try readMembers(of: document.root, fields)
    }

    /// The members of an object within a body, as `object` says.
    init(_ object: JSONElement, in document: JSONDocument, path: String, _ fields: [Parameter]) throws(Problem) {
        self.document = document
        guard document.kind(object) == .object else {
            throw Problem(
                .badBody, "\(path) is \(document.written(object, limit: 80)); expected an object.")
        }
        try readMembers(of: object, fields, in: path)
    }

    private mutating func readMembers(
        of object: JSONElement, _ fields: [Parameter], in path: String? = nil
    ) throws(Problem) {
        for member in document.children(of: object) {
            let name = document.key(of: member) ?? ""
            guard fields.contains(where: { $0.name == name }) else { throw Self.unknown(name, fields, in: path) }
            // Which of the two is meant nobody can say, and readers of JSON differ.
            guard !document.isDuplicate(member) else { throw Self.doubled(name, in: path) }
            members[name] = member
        }
    }

    /// A member that lists some of its words; one word may stand without brackets.
    func words(_ field: Parameter) throws(Problem) -> [String] {
        guard let member = members[field.name], case .words(let known) = field.kind else { return [] }
        let elements = document.kind(member) == .array ? document.children(of: member) : [member]
        var words: [String] = []
        for element in elements {
            guard let word = document.string(element), known.contains(word) else {
                let value = document.string(element)
                throw Problem(
                    .badBody,
                    "The member \(quoted(field.name)) holds \(value.map { quoted($0) } ?? "a \(document.kind(element))"); "
                        + "expected \(field.expected).",
                    hint: value.flatMap { NearestName.of($0, among: known) }.map { "Did you mean \(quoted($0))?" })
            }
            words.append(word)
        }
        return words
    }

    /// The refusal of a member that stands twice in an object.
    static func doubled(_ name: String, in path: String? = nil) -> Problem {
        Problem(.badBody, "The member \(quoted(name)) stands twice in \(path ?? "this body"); expected once.")
    }

    private static func unknown(_ name: String, _ fields: [Parameter], in path: String?) -> Problem {
        let names = fields.map(\.name)
        return Problem(
            .badBody, "\(quoted(name)) is not a member of \(path ?? "this body").",
            hint: NearestName.of(name, among: names).map { "Did you mean \(quoted($0))?" }
                ?? "It knows \(names.joined(separator: ", ")).")
    }
}
