import Foundation
import Testing

@testable import Simulation

/// Expressions compared with Swift's own engine, and the limits that keep them quick.
struct RegularExpressionTests {
    private func isFound(_ source: String, _ text: String) throws -> Bool {
        try RegularExpression(source).isFound(in: Array(text.utf8).span, MatchScratch())
    }

    @Test(arguments: [
        ("^4", "42", true), ("^4", "142", false), ("2$", "42", true), ("2$", "421", false), ("", "x", true),
        ("Order \\d+", "Your Order 42 is here", true), ("Order \\d+", "Order x", false), ("a|b|cd", "xcdx", true),
        ("^(?:ab)+$", "abab", true), ("^(ab)+$", "aba", false), ("a{2,3}b", "aab", true), ("^a{2}$", "aaa", false),
        ("^a{2,}$", "aaaa", true), ("^a{0,1}$", "", true), ("[^0-9]", "123", false), ("[a-c\\d]+$", "xb2", true),
        ("[]a]", "]", true), ("[a-]", "-", true), ("[\\]\\-]", "-", true), ("\\bfox\\b", "a fox!", true),
        ("\\bfox\\b", "foxes", false), ("\\Bx", "ax", true), ("(?i)SHIPPED", "shipped", true),
        ("(?i)[A-Z]+$", "abc", true), ("shipped", "Shipped", false), ("^caf.$", "café", true), ("^.$", "👍", true),
        ("a.b", "a\nb", false), ("a\\nb", "a\nb", true), ("\\x41\\u00e9", "Aé", true), ("^\\w+$", "größe", true),
        ("a*?b", "aab", true), ("^$", "", true), ("^$", "x", false), ("\\.", "a", false), ("(a|)b", "b", true),
        ("(a*)*b", "aab", true), ("[^a]", "\u{1F600}", true), ("[\\D]", "1", false), ("[^\\W]", "-", false),
    ])
    func `the usual notation`(source: String, text: String, expected: Bool) throws {
        #expect(try isFound(source, text) == expected)
    }

    @Test(arguments: [
        "(", ")", "a)", "[", "[a", "[b-a]", "*", "a**", "a{", "a{2", "a{3,2}", "a{1001}", "\\", "\\1", "\\q", "(?=a)",
        "(?<n>a)", "(?!a)", "\\x4", "\\u12", "[\\b]", "+a", "x{,3}",
    ])
    func `what is no expression is refused with its place`(source: String) {
        let fault = #expect(throws: RegularExpression.Fault.self) { try RegularExpression(source) }
        #expect(fault?.message.contains("(character") == true)
    }

    @Test func `an expression is bounded in length, steps and depth`() {
        #expect(throws: Never.self) { try RegularExpression(String(repeating: "a", count: 900)) }
        for source in [
            String(repeating: "a", count: RegularExpression.sourceLimit + 1), "((a{100}){100}){100}",
            "(((((a{9}){9}){9}){9}){9}){9}", String(repeating: "(", count: 500) + String(repeating: ")", count: 500),
        ] {
            #expect(throws: RegularExpression.Fault.self) { try RegularExpression(source) }
        }
    }

    /// A backtracking engine would need longer than the universe has existed.
    @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*(.*)*(.*)*x$", "^(a?){40}a{40}b$"])
    func `no expression takes exponential time`(source: String) throws {
        #expect(try !isFound(source, String(repeating: "a", count: 400) + "!"))
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `random expressions find what Swift's engine finds`(seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        for _ in 0..<400 {
            // Not the empty text, in which Swift's engine finds the edge of a word.
            let source = Self.expression(depth: 3, &random)
            let text = String(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in "abc".randomElement(using: &random)! })
            let oracle = try Regex(source).matchingSemantics(.unicodeScalar)
            #expect(
                try isFound(source, text) == (text.firstMatch(of: oracle) != nil), "\(source) in \(text), seed \(seed)")
        }
    }

    private static func expression(depth: Int, _ random: inout FastRandom) -> String {
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ -> String in
            switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
            case 0...2: return ["a", "b", "c"].randomElement(using: &random) ?? "a"
            case 3: return ["[ab]", "[^a]", "."].randomElement(using: &random) ?? "."
            case 4: return ["^", "$", "\\b"].randomElement(using: &random) ?? "^"
            case 5: return "a" + (["*", "+", "?", "{2}", "{1,2}"].randomElement(using: &random) ?? "*")
            case 6...7: return "(\(expression(depth: depth - 1, &random)))"
            case 8:
                return "(\(expression(depth: depth - 1, &random)))" + (["*", "?"].randomElement(using: &random) ?? "?")
            default: return "(\(expression(depth: depth - 1, &random))|\(expression(depth: depth - 1, &random)))"
            }
        }
        return parts.joined()
    }
}

/// A small generator whose sequence depends on its seed alone.
private struct FastRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
