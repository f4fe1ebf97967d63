import APNs
import Simulation

/// The parameters that name gates, and refusals that pass; words are read by ``Gate``, as those of the command line are.
enum GateParameters {
    static let failOn = Parameter(
        "failOn", .list("one or more of " + Gate.table.map { "`\($0.word)`" }.joined(separator: ", ")),
        "Answer 417, with the report, when one of these gates objects: "
            + Gate.table.map { "`\($0.word)` when \($0.meaning)" }.joined(separator: "; ")
            + ". A gate whose answer is not known any more objects, too (`journal-truncated`).",
        example: "rejected,findings:error", standard: "nothing")
    static let allow = Parameter(
        "allow", .list("one or more reasons such as `Unregistered`"),
        "Refusals with these reasons pass the gate `rejected`, as those pass that a rule, a magic token, a device's state, a "
            + "revoked key or a moved clock asked for.",
        example: "Unregistered", standard: "none")

    /// The gates of a call.
    static func gates(_ query: Query) throws(Problem) -> [Gate] {
        var gates: [Gate] = []
        for word in try query.values(failOn.name) {
            let gate = try reading(failOn, word) { () throws(Gate.Unknown) in try Gate(word) }
            if !gates.contains(gate) { gates.append(gate) }
        }
        return gates
    }

    /// The reasons whose refusals pass.
    static func allowed(_ query: Query) throws(Problem) -> Set<Reason> {
        var reasons: Set<Reason> = []
        for word in try query.values(allow.name) {
            reasons.formUnion(try reading(allow, word) { () throws(Gate.Unknown) in try Gate.reasons([word]) })
        }
        return reasons
    }

    private static func reading<Value>(
        _ parameter: Parameter, _ word: String, _ read: () throws(Gate.Unknown) -> Value
    ) throws(Problem) -> Value {
        do throws(Gate.Unknown) {
            return try read()
        } catch {
            throw Problem(
                .badValue,
                "The parameter \(quoted(parameter.name)) has the value \(quoted(word)); \(error.message).",
                hint: error.suggestion.map { "Did you mean \(quoted($0))?" })
        }
    }
}
