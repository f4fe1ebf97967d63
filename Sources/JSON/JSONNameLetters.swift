/// The kinds of characters that a member's name is made of.
package struct JSONNameLetters: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let lowerCase = JSONNameLetters(rawValue: 1)
    package static let upperCase = JSONNameLetters(rawValue: 2)
    package static let underscore = JSONNameLetters(rawValue: 4)
    package static let hyphen = JSONNameLetters(rawValue: 8)
    /// Anything but ASCII letters, digits, underscores and hyphens.
    package static let other = JSONNameLetters(rawValue: 16)
    package static let beginsUpperCase = JSONNameLetters(rawValue: 32)
    package static let beginsUnderscore = JSONNameLetters(rawValue: 64)
}
