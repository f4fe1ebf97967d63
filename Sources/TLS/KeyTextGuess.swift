/// What a text looks like that should be the PEM of a private key and is not: one table of names and fixes.
struct KeyTextGuess {
    /// What it is, with its article.
    let name: String
    /// What to do, as the end of a sentence.
    let fix: String
    private let matches: @Sendable (String) -> Bool

    private init(_ name: String, fix: String, _ matches: @escaping @Sendable (String) -> Bool) {
        self.name = name
        self.fix = fix
        self.matches = matches
    }

    /// The first row that a text looks like.
    static func of(_ text: String) -> KeyTextGuess? { rows.first { $0.matches(text) } }

    private static let whole = "give the .p8 file as it was downloaded, line breaks included"

    private static let rows: [KeyTextGuess] = [
        KeyTextGuess(
            "a key whose line breaks are written as \\n",
            fix: "turn each \\n into a line break: printf '%b' \"$KEY\" > key.p8",
            { $0.contains("\\n") && $0.contains("-----") }),
        KeyTextGuess(
            "JSON with a key in it", fix: "give the key alone, with real line breaks",
            { $0.first { !$0.isWhitespace } == "{" }),
        KeyTextGuess(
            "a key in quotes", fix: "take the quotes away",
            { "\"'`\u{201C}".contains($0.first { !$0.isWhitespace } ?? " ") }),
        KeyTextGuess(
            "base64 of a whole .p8 file", fix: "decode it first: base64 -d < key.b64 > key.p8",
            { $0.hasPrefix("LS0tLS1CRUdJTi") }),
        KeyTextGuess(
            "a key with a byte order mark before it", fix: "save the file as UTF-8 without one",
            { $0.unicodeScalars.first == "\u{FEFF}" }),
        KeyTextGuess(
            "UTF-16", fix: "save the file as UTF-8", { $0.contains("\u{0}") && $0.contains("B\u{0}E\u{0}G") }),
        KeyTextGuess(
            "a key in one line", fix: "break the line behind BEGIN and before END: " + whole,
            { $0.contains("-----BEGIN") && $0.contains("-----END") && !$0.trimmed.contains(where: \.isNewline) }),
        KeyTextGuess(
            "a key whose lines are indented", fix: "take the blanks before the lines away",
            { text in
                text.contains("PRIVATE KEY-----")
                    && text.split(whereSeparator: \.isNewline).contains {
                        $0.first?.isWhitespace == true && $0.contains("-----")
                    }
            }),
        KeyTextGuess(
            "a key without its BEGIN line", fix: "put -----BEGIN PRIVATE KEY----- before it: " + whole,
            { !$0.contains("-----BEGIN") && $0.contains("-----END") }),
        KeyTextGuess(
            "a key without its END line", fix: "the file was cut off: " + whole,
            { $0.contains("PRIVATE KEY-----") && !$0.contains("-----END") }),
        KeyTextGuess(
            "a BEGIN line with other dashes", fix: "a BEGIN line has five hyphens on either side: " + whole,
            { $0.contains("BEGIN") && $0.contains("PRIVATE KEY") && !$0.contains("-----BEGIN ") }),
        KeyTextGuess(
            "the path of a key file", fix: "give the content of the file",
            { $0.trimmed.hasSuffix(".p8") || $0.trimmed.hasSuffix(".pem") }),
        KeyTextGuess("the id of a key", fix: "give the content of its .p8 file", { $0.isIdentifier }),
        KeyTextGuess(
            "a key of SSH", fix: "give the .p8 file of Apple's developer account",
            { $0.hasPrefix("ssh-") || $0.contains("OPENSSH PRIVATE KEY") }),
        KeyTextGuess(
            "a key without its BEGIN and END lines",
            fix:
                "put -----BEGIN PRIVATE KEY----- before it and -----END PRIVATE KEY----- behind it, in lines of their own",
            { $0.hasPrefix("MIG") || $0.hasPrefix("MHcCAQEE") || $0.hasPrefix("ME") && $0.utf8.count > 80 }),
    ]
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: Substring {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }

    /// Ten letters and digits.
    fileprivate var isIdentifier: Bool {
        trimmed.utf8.count == 10 && trimmed.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
