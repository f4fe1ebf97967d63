/// A part of a regular expression.
indirect enum RegularExpressionNode: Sendable {
    case empty
    case set(ScalarSet)
    case place(RegularExpressionProgram.Place)
    case sequence([RegularExpressionNode])
    case choice([RegularExpressionNode])
    /// At least so often, and at most so often; nil for any number.
    case repetition(RegularExpressionNode, Int, Int?)
}
