import APNs
import HTTP
import Testing

struct TopicPatternTests {
    private func matches(_ pattern: String, _ topic: String) -> Bool {
        let bytes = Array(topic.utf8)
        return TopicPattern(pattern).matches(bytes.span)
    }

    @Test(arguments: [
        ("com.example.app", "com.example.app"), ("com.example.*", "com.example.app"), ("*", ""), ("*", "x"),
        ("com.*.app", "com.a.b.app"), ("*.app", ".app"), ("a*b*c", "abc"), ("a*b*c", "aXbbYc"), ("a**b", "ab"),
        ("com.example.*", "com.example."), ("", ""),
    ])
    func `a pattern matches`(_ pattern: String, _ topic: String) {
        #expect(matches(pattern, topic))
    }

    @Test(arguments: [
        ("com.example.app", "com.example.apps"), ("com.example.app", "com.example.ap"),
        ("com.example.*", "com.example"),
        ("a*b", "abX"), ("*.app", "app"), ("", "x"), ("a*b*c", "acb"), ("com.Example", "com.example"),
    ])
    func `a pattern does not match`(_ pattern: String, _ topic: String) {
        #expect(!matches(pattern, topic))
    }

    @Test func `a bundle id covers the topics of its push types`() {
        func covers(_ pattern: String, _ suffix: PushType?) -> Bool {
            let topic = Array("com.example.app.voip".utf8)
            return TopicPattern(pattern).covers(topic.span, suffix: suffix)
        }
        #expect(covers("com.example.app", .voip))
        #expect(!covers("com.example.app", nil))
        #expect(covers("com.example.app.voip", .voip))
        #expect(!covers("com.example", .voip))
    }

    @Test(arguments: [41, 42] as [UInt64])
    func `many stars agree with a plain search`(_ seed: UInt64) {
        /// The same by trying everything.
        func search(_ pattern: Substring, _ topic: Substring) -> Bool {
            guard let first = pattern.first else { return topic.isEmpty }
            if first == "*" {
                return topic.indices.contains { search(pattern.dropFirst(), topic[$0...]) }
                    || search(pattern.dropFirst(), "")
            }
            return topic.first == first && search(pattern.dropFirst(), topic.dropFirst())
        }
        var random = FastRandom(seed: seed)
        for _ in 0..<3000 {
            let pattern = String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in "ab*".randomElement(using: &random)! })
            let topic = String(
                (0..<Int.random(in: 0...7, using: &random)).map { _ in "ab".randomElement(using: &random)! })
            #expect(matches(pattern, topic) == search(pattern[...], topic[...]), "seed \(seed): \(pattern) \(topic)")
        }
    }

    @Test func `a hostile pattern takes no long time`() {
        let pattern = String(repeating: "*a", count: 200) + "b"
        #expect(!matches(pattern, String(repeating: "a", count: 4000)))
    }
}
