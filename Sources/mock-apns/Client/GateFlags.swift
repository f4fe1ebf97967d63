import APNs
import Server
import Simulation

/// Flags that name gates and refusals that pass; the words are read as those of the admin API are.
enum GateFlags {
    /// What `--fail-on` takes, for help.
    static let failOnHelp =
        "exit with 1 when a gate objects: "
        + Gate.table.map { "\($0.word) (\($0.meaning))" }.joined(separator: ", ")
    /// What `--allow` takes, for help.
    static let allowHelp =
        "refusals with these reasons pass, such as Unregistered; those that a rule, a magic token, a device's state, a revoked "
        + "key or a moved clock asked for pass in any case"

    /// The gates of a flag's values.
    static func gates(_ values: [String]) throws(UsageError) -> [Gate] {
        var gates: [Gate] = []
        for word in words(values) {
            let gate = try reading { () throws(Gate.Unknown) in try Gate(word) }
            if !gates.contains(gate) { gates.append(gate) }
        }
        return gates
    }

    /// The reasons of a flag's values.
    static func reasons(_ values: [String]) throws(UsageError) -> Set<Reason> {
        try reading { () throws(Gate.Unknown) in try Gate.reasons(words(values)) }
    }

    private static func words(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",").map(String.init) }
    }

    private static func reading<Value>(_ read: () throws(Gate.Unknown) -> Value) throws(UsageError) -> Value {
        do throws(Gate.Unknown) {
            return try read()
        } catch {
            throw UsageError(error.message + (error.suggestion.map { "; did you mean \($0)?" } ?? ""))
        }
    }
}
