import HTTP

/// What a wrong value looks like: one of another service, or the right one in a wrong form.
///
/// Looked for only where a value was refused, or deserves a remark anyway; an accepted push asks none of these questions.
package struct LookAlike: Sendable {
    /// What it is, with its article: "an FCM registration token".
    package let name: String
    /// What to do about it.
    package let fix: String
    let matches: @Sendable (Sample) -> Bool

    init(_ name: String, fix: String, _ matches: @escaping @Sendable (Sample) -> Bool) {
        self.name = name
        self.fix = fix
        self.matches = matches
    }

    /// How many bytes of a value are looked at.
    static let sampleLimit = 1024

    /// The first row of a table that a value looks like.
    package static func first(in table: [LookAlike], like value: Span<UInt8>) -> LookAlike? {
        let length = min(value.count, sampleLimit)
        let sample = Sample(value.extracting(first: length).text)
        return table.first { $0.matches(sample) }
    }

    /// The first row of a table that a text looks like.
    package static func first(in table: [LookAlike], like text: String) -> LookAlike? {
        first(in: table, like: Array(text.utf8).span)
    }

    /// A value under test, with the questions that the tables ask.
    struct Sample {
        let text: String
        let lower: String

        init(_ text: String) {
            self.text = text
            lower = text.lowercased()
        }

        func begins(_ beginnings: String...) -> Bool { beginnings.contains { lower.hasPrefix($0) } }
        func has(_ parts: String...) -> Bool { parts.contains { lower.contains($0) } }
        func isOne(of words: String...) -> Bool { words.contains(lower) }
        func stands(between start: String, _ end: String) -> Bool {
            text.count >= start.count + end.count && text.hasPrefix(start) && text.hasSuffix(end)
        }

        /// Whether every character is one of these kinds.
        func consists(of isGood: (UInt8) -> Bool) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isGood) }

        var isHex: Bool { consists { $0.isHexDigit } }
        var isDecimal: Bool { consists { $0 &- 48 < 10 } }
        /// Whether only digits of base64, of either alphabet, and padding occur.
        var isBase64: Bool { ProviderTokenBase64.decode(Array(text.utf8).span) != nil }

        /// The hexadecimal digits in it, when besides them there is nothing but these separators.
        func hexDigits(besides separators: String) -> Int? {
            let digits = text.utf8.filter { $0.isHexDigit }.count
            let others = text.filter { !($0.isASCII && $0.isHexDigit) }
            return others.allSatisfy { separators.contains($0) } ? digits : nil
        }

        /// 8-4-4-4-12 hexadecimal digits.
        var isUUID: Bool { UUIDText(Array(text.utf8).span) != nil }
        /// Three parts of base64url, the first of which begins like a JSON object.
        var isJWT: Bool { text.hasPrefix("eyJ") && text.filter { $0 == "." }.count == 2 }
    }

    // MARK: What can stand in the place of any value

    /// Values that a program wrote out though there was none, and places that nobody filled in.
    static let ofAnything: [LookAlike] = [
        LookAlike(
            "the word for an absent value",
            fix: "Look for the value where it is read: it was absent, and its absence was "
                + "written as text.",
            {
                $0.isOne(
                    of: "nil", "null", "undefined", "none", "(null)", "<null>", "nan", "false", "true", "optional(nil)")
            }),
        LookAlike(
            "an object that was written as text",
            fix: "Read the member of the object, and await it where it is a promise.",
            {
                $0.begins(
                    "[object ", "<coroutine ", "<promise", "promise {", "task<", "<bound method", "<function", "#<")
            }),
        LookAlike(
            "a Swift optional that was written as text", fix: "Unwrap the optional before it is put into a string.",
            { $0.begins("optional(", "some(") }),
        LookAlike(
            "Python bytes that were written as text", fix: "Decode the bytes: value.decode(\"ascii\").",
            { $0.begins("b'", "b\"") }),
        LookAlike(
            "a value in quotes", fix: "Take the quotes away.",
            { sample in
                [("\"", "\""), ("'", "'"), ("`", "`"), ("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}")].contains {
                    sample.stands(between: $0.0, $0.1)
                } || sample.begins("\"", "%22")
            }),
        LookAlike(
            "a placeholder that nobody filled in", fix: "Put the value where the placeholder is, without brackets.",
            { sample in
                [("${", "}"), ("$(", ")"), ("{{", "}}"), ("<%", "%>"), ("#{", "}"), ("@{", "}"), ("%{", "}")].contains {
                    sample.stands(between: $0.0, $0.1)
                } || sample.isOne(of: "%s", "%@", "%d", "{}", "{0}", "?", "...", "…", "xxx", "todo", "changeme")
            }),
    ]
}

extension CheckFailure {
    /// The same failure, with the name and the fix of what the value looks like.
    package func looking(like value: Span<UInt8>, in table: [LookAlike]) -> CheckFailure {
        guard let look = LookAlike.first(in: table, like: value) else { return self }
        return CheckFailure(
            check, reason, expected: expected, actual: actual,
            explanation: explanation + " It looks like \(look.name).",
            timestamp: timestamp, fix: look.fix)
    }

    /// The same failure, with what an id of a key or a team looks like, or else with this fix.
    package func looking(likeIdentifier id: String, usually fix: String) -> CheckFailure {
        let failure = looking(like: Array(id.utf8).span, in: LookAlike.identifiers)
        guard failure.fix == nil else { return failure }
        return CheckFailure(
            check, reason, expected: expected, actual: actual, explanation: explanation, timestamp: timestamp, fix: fix)
    }

    /// The same failure, with what a path that does not exist looks like.
    func looking(likePath path: Span<UInt8>) -> CheckFailure {
        let prefix: StaticString = "/3/device/"
        guard path.hasPrefix(prefix), path.count > prefix.utf8CodeUnitCount else {
            return looking(like: path, in: LookAlike.paths)
        }
        return looking(like: path.extracting(droppingFirst: prefix.utf8CodeUnitCount), in: LookAlike.pathEnds)
    }
}
