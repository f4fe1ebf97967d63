/// What a matcher object can say of a value besides the value itself.
package enum MatchOperator: String, Sendable, CaseIterable {
    case equals, glob, regex, contains, exists, gt, gte, lt, lte, `in`, not

    /// What stands behind the operator.
    package var operand: String {
        switch self {
        case .equals: "a text, a number, true, false or null"
        case .glob: "a text with `*` for any run of characters"
        case .regex: "a regular expression as a text"
        case .contains: "a text"
        case .exists: "true or false"
        case .gt, .gte, .lt, .lte: "a number"
        case .in: "an array of texts, numbers, true, false and null"
        case .not: "a value or an object of operators"
        }
    }

    /// One line for the reference.
    package var meaning: String {
        switch self {
        case .equals: "The value is exactly this: a `*` is a star, and `3` is not `\"3\"`."
        case .glob: "The whole value is described."
        case .regex:
            "Some part of the value is described. No back-references and no looking around; `(?i)` at the start ignores case."
        case .contains: "The value has the text in it."
        case .exists: "There is a value, or there is none."
        case .gt: "The value is a number above this."
        case .gte: "The value is a number, this or above."
        case .lt: "The value is a number below this."
        case .lte: "The value is a number, this or below."
        case .in: "The value is one of these, each read as a bare value."
        case .not: "The value is not so; a value that is not there is not so either."
        }
    }

    /// How the order operators compare.
    var order: ValueTest.Order? {
        switch self {
        case .gt: .greater
        case .gte: .greaterOrEqual
        case .lt: .less
        case .lte: .lessOrEqual
        case .equals, .glob, .regex, .contains, .exists, .in, .not: nil
        }
    }
}
