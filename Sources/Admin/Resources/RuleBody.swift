import JSON
import Simulation

/// Bodies that hold rules.
enum RuleBody {
    /// The body as JSON.
    static func document(_ call: AdminCall) throws(Problem) -> JSONDocument {
        var document = JSONDocument()
        // An empty body is an empty object: the reader says what is missing.
        let bytes = call.request.body.isEmpty ? Array("{}".utf8) : call.request.body
        if let fault = document.parse(bytes, in: bytes.indices) {
            throw Problem(
                .badBody, "The body is not JSON: \(fault.message) (line \(fault.line), column \(fault.column)).")
        }
        if document.hasDuplicates, document.kind(document.root) == .object,
            let second = document.children(of: document.root).first(where: { document.isDuplicate($0) })
        {
            throw BodyFields.doubled(document.key(of: second) ?? "")
        }
        return document
    }

    /// The rules of an array, or of one that is called `items` or `rules`.
    static func rules(_ document: JSONDocument, now: Int64) throws(Problem) -> [Rule] {
        var array = document.root
        var path = "$"
        if document.kind(array) == .object {
            path = document.member("items", of: array) == nil ? "$.rules" : "$.items"
            guard let items = document.member("items", of: array) ?? document.member("rules", of: array) else {
                throw Problem(
                    .badBody, "The body is an object without \"items\"; expected an array of rules.",
                    hint: "Send [] for no rules.")
            }
            array = items
        }
        guard document.kind(array) == .array else {
            throw Problem(
                .badBody, "The body is a JSON \(document.kind(array)); expected an array of rules.",
                hint: "Send [] for no rules.")
        }
        var rules: [Rule] = []
        for (index, element) in document.children(of: array).enumerated() {
            rules.append(
                try reading(at: "\(path)[\(index)]") { () throws(RuleError) in
                    try RuleReader(now: now, path: "\(path)[\(index)]").rule(document, element, id: "rule-\(index + 1)")
                })
            // What is refused all the same is not read to its end.
            guard rules.count <= Script.ruleLimit else { break }
            do throws(Script.Cost) { try Script.check(cost: rules) } catch { throw RuleResource.tooCostly(error) }
        }
        return rules
    }

    /// Reads something; what cannot be understood is a problem of the body.
    static func reading<Value>(
        at place: String = "", _ body: () throws(RuleError) -> Value
    ) throws(Problem) -> Value {
        do throws(RuleError) {
            return try body()
        } catch {
            throw Problem(
                .badBody, error.words(at: place), hint: error.suggestion.map { "Did you mean \(quoted($0))?" })
        }
    }
}
