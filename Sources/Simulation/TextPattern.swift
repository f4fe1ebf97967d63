/// A text to compare with: exact, or with `*` for any run of characters. `\*` is a star itself.
///
/// A text is read once whatever the pattern is: what stands between two stars is searched with the table of Knuth, Morris and
/// Pratt, which never goes back.
struct TextPattern: Sendable, Equatable {
    /// A text between stars.
    private struct Piece: Sendable, Equatable {
        var bytes: [UInt8] = []
        /// How much of the piece is still found when the byte behind so much of it does not fit; for those between two stars.
        var fallback: [UInt32] = []

        mutating func prepare() {
            fallback = Array(repeating: 0, count: bytes.count)
            var known = 0
            for place in bytes.indices.dropFirst() {
                while known > 0, bytes[known] != bytes[place] { known = Int(fallback[known - 1]) }
                if bytes[known] == bytes[place] { known += 1 }
                fallback[place] = UInt32(truncatingIfNeeded: known)
            }
        }
    }

    /// The texts between the stars; one for an exact pattern.
    private let pieces: [Piece]
    private let ignoresCase: Bool
    /// How many bytes all pieces have.
    private let length: Int

    /// The pattern as it was given.
    let source: String

    /// Reads a pattern; without `globs` a star stands for itself.
    init(_ source: String, ignoresCase: Bool = false, globs: Bool = true) {
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
        self.init(source, pieces, ignoresCase: ignoresCase)
    }

    /// The pattern of all texts that have this one in them; in any case of letters, unless told otherwise.
    init(containing text: String, ignoresCase: Bool = true) {
        let piece = ignoresCase ? text.utf8.map(\.lowercasedASCII) : Array(text.utf8)
        self.init(text, [[], piece, []], ignoresCase: ignoresCase)
    }

    private init(_ source: String, _ texts: [[UInt8]], ignoresCase: Bool) {
        self.source = source
        self.ignoresCase = ignoresCase
        var pieces: [Piece] = []
        for (index, text) in texts.enumerated() {
            let isInner = index > 0 && index < texts.count - 1
            // Several stars are one.
            if isInner, text.isEmpty { continue }
            var piece = Piece(bytes: text)
            if isInner { piece.prepare() }
            pieces.append(piece)
        }
        self.pieces = pieces
        length = texts.reduce(0) { $0 + $1.count }
    }

    /// The text of a pattern without stars, in lower case when case means nothing.
    var exact: [UInt8]? { pieces.count == 1 ? pieces[0].bytes : nil }

    /// Whether letters are the same in both cases.
    var isCaseless: Bool { ignoresCase }

    /// The most steps that a text of so many bytes takes.
    func cost(bytes: Int) -> Int {
        pieces.count > 2 ? 1 &+ length &+ 2 &* bytes : 1 &+ min(length, bytes)
    }

    /// Whether the pattern describes the whole text.
    func matches(_ text: Span<UInt8>, _ scratch: MatchScratch) -> Bool {
        let first = pieces[0].bytes
        scratch.charge(1)
        guard pieces.count > 1 else { return text.count == first.count && isPiece(first, at: 0, of: text, scratch) }
        let last = pieces[pieces.count - 1].bytes
        guard text.count >= first.count + last.count, isPiece(first, at: 0, of: text, scratch) else { return false }
        let end = text.count - last.count
        guard isPiece(last, at: end, of: text, scratch) else { return false }
        // The leftmost place is right for each piece in turn, as it leaves the most for those behind.
        var place = first.count
        for piece in pieces[1..<pieces.count - 1] {
            guard let next = find(piece, in: text, from: place, to: end, scratch) else { return false }
            place = next
        }
        return true
    }

    /// The place behind the leftmost occurrence of a piece; nil when there is none.
    private func find(
        _ piece: Piece, in text: Span<UInt8>, from start: Int, to end: Int, _ scratch: MatchScratch
    ) -> Int? {
        var known = 0
        var place = start
        while place < end {
            let byte = ignoresCase ? text[place].lowercasedASCII : text[place]
            place += 1
            while known > 0, piece.bytes[known] != byte { known = Int(piece.fallback[known - 1]) }
            if piece.bytes[known] == byte { known += 1 }
            if known == piece.bytes.count { break }
        }
        scratch.charge(2 * (place - start))
        return known == piece.bytes.count ? place : nil
    }

    private func isPiece(_ piece: [UInt8], at place: Int, of text: Span<UInt8>, _ scratch: MatchScratch) -> Bool {
        for offset in 0..<piece.count {
            let byte = text[place + offset]
            guard piece[offset] == (ignoresCase ? byte.lowercasedASCII : byte) else {
                scratch.charge(offset + 1)
                return false
            }
        }
        scratch.charge(piece.count)
        return true
    }
}

extension UInt8 {
    /// The byte, in lower case when it is an ASCII letter.
    var lowercasedASCII: UInt8 {
        self >= 65 && self <= 90 ? self | 0x20 : self
    }
}
