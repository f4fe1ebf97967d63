/// Values of parameters, wherever a guest wrote them: in the query or in a JSON body.
protocol ParameterValues {
    /// A text; nil without one.
    func text(_ parameter: Parameter) throws(Problem) -> String?
    /// One of the parameter's words.
    func word(_ parameter: Parameter) throws(Problem) -> String?
    /// A whole number within the parameter's range.
    func integer(_ parameter: Parameter) throws(Problem) -> Int?
    /// Milliseconds, within the parameter's maximum.
    func duration(_ parameter: Parameter) throws(Problem) -> Int64?
    /// A cursor as it was written: digits or `now`.
    func cursor(_ parameter: Parameter) throws(Problem) -> String?
    /// Several texts; empty without any.
    func list(_ parameter: Parameter) throws(Problem) -> [String]
    /// The refusal of a value, with what the parameter takes.
    func refusal(_ parameter: Parameter, _ value: String, hint: String?) -> Problem
}

extension Query: ParameterValues {
    func text(_ parameter: Parameter) throws(Problem) -> String? { try text(parameter.name) }
    func word(_ parameter: Parameter) throws(Problem) -> String? { try word(parameter.name) }
    func integer(_ parameter: Parameter) throws(Problem) -> Int? { try integer(parameter.name) }
    func duration(_ parameter: Parameter) throws(Problem) -> Int64? { try duration(parameter.name) }
    func cursor(_ parameter: Parameter) throws(Problem) -> String? { try text(parameter.name) }
    func list(_ parameter: Parameter) throws(Problem) -> [String] { try values(parameter.name) }

    func refusal(_ parameter: Parameter, _ value: String, hint: String?) -> Problem {
        bad(parameter.name, value, hint: hint)
    }
}

extension BodyFields: ParameterValues {
    func cursor(_ parameter: Parameter) throws(Problem) -> String? { try written(parameter) }

    func duration(_ parameter: Parameter) throws(Problem) -> Int64? {
        guard let text = try written(parameter) else { return nil }
        guard case .duration(let maximum) = parameter.kind, let duration = DurationText.milliseconds(text),
            duration <= maximum
        else { throw bad(parameter, text) }
        return duration
    }

    func list(_ parameter: Parameter) throws(Problem) -> [String] {
        try texts(parameter)?.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
            ?? []
    }

    func refusal(_ parameter: Parameter, _ value: String, hint: String?) -> Problem {
        var problem = bad(parameter, value)
        problem.hint = hint ?? problem.hint
        return problem
    }
}
