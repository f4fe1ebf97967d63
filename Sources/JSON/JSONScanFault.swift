/// What a scan found wrong, before it is put into words.
struct JSONScanFault {
    /// The kinds of faults.
    enum Problem: UInt8 {
        case missingValue, noValue, missingElement, commaBeforeBracket, textAfterValue, afterMember, afterElement
        case noFirstName, noName, noColon
        case openString, control, notUTF8, unknownEscape, shortEscape, loneSurrogate
        case leadingZero, noDigitAfterMinus, noDigitAfterPoint, noDigitInExponent
        case tooDeep, tooLong
    }

    let problem: Problem
    let offset: Int
    /// Where the string begins that is not closed.
    let opening: Int

    init(_ problem: Problem, at offset: Int, since opening: Int = 0) {
        self.problem = problem
        self.offset = offset
        self.opening = opening
    }
}
