/// A text to compare with: exact, or with `*` for any run of characters. `\*` is a star itself.
struct TextPattern: Sendable, Equatable {
    /// The texts between the stars; one for an exact pattern.
    private let pieces: [[UInt8]]
    private let ignoresCase: Bool

    /// The pattern as it was given.
    let source: String

    /// Reads a pattern; without `globs` a star stands for itself.
    init(_ source: String, ignoresCase: Bool = false, globs: Bool = true) {
        self.source = source
        self.ignoresCase = ignoresCase
        var pieces: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in source.utf8 {
            if byte == UInt8(ascii: "*"), globs, !isEscaped {
                pieces.append([])
            } else {
                if byte == UInt8(ascii: "*"), isEscaped { pieces[pieces.count - 1].removeLast() }
                pieces[pieces.count - 1].append(ignoresCase ? byte.lowercasedASCII : byte)
            }
            isEscaped = globs && byte == UInt8(ascii: "\\") && !isEscaped
        }
        self.pieces = pieces
    }

    /// The pattern of all texts that have this one in them; in any case of letters, unless told otherwise.
    init(containing text: String, ignoresCase: Bool = true) {
        source = text
        self.ignoresCase = ignoresCase
        pieces = [[], ignoresCase ? text.utf8.map(\.lowercasedASCII) : Array(text.utf8), []]
    }

    /// The text of a pattern without stars, in lower case when case means nothing.
    var exact: [UInt8]? { pieces.count == 1 ? pieces[0] : nil }

    /// Whether the pattern describes the whole text.
    func matches(_ text: Span<UInt8>) -> Bool {
        let first = pieces[0]
        guard pieces.count > 1 else { return text.count == first.count && isPiece(first, at: 0, of: text) }
        let last = pieces[pieces.count - 1]
        guard text.count >= first.count + last.count, isPiece(first, at: 0, of: text) else { return false }
        let end = text.count - last.count
        guard isPiece(last, at: end, of: text) else { return false }
        // The leftmost place is right for each piece in turn, as it leaves the most for those behind.
        var place = first.count
        for piece in pieces[1..<pieces.count - 1] where !piece.isEmpty {
            while place + piece.count <= end, !isPiece(piece, at: place, of: text) { place += 1 }
            guard place + piece.count <= end else { return false }
            place += piece.count
        }
        return true
    }

    private func isPiece(_ piece: [UInt8], at place: Int, of text: Span<UInt8>) -> Bool {
        for offset in 0..<piece.count {
            let byte = text[place + offset]
            guard piece[offset] == (ignoresCase ? byte.lowercasedASCII : byte) else { return false }
        }
        return true
    }
}

extension UInt8 {
    /// The byte, in lower case when it is an ASCII letter.
    var lowercasedASCII: UInt8 {
        self >= 65 && self <= 90 ? self | 0x20 : self
    }
}
