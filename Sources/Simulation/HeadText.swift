/// The members of an entry that hold its number, kept from one line to the next: mostly only the last digit is another.
///
/// Of use for one renderer only.
struct HeadText {
    private var text: [UInt8] = []
    /// Where in the text the last digits of the number are.
    private var lastDigits: [Int] = []
    private var seq = UInt64.max
    /// The first number that has one digit more.
    private var limit: UInt64 = 0

    /// Adds the members for a number.
    mutating func write(_ seq: UInt64, _ renderer: EntryRenderer, to buffer: inout LineBuffer) {
        if seq &- 1 == self.seq, seq < limit {
            for place in lastDigits { count(at: place) }
        } else {
            make(seq, renderer)
        }
        self.seq = seq
        buffer.append(text)
    }

    /// Adds one to the number whose last digit is at this place; it does not become longer.
    private mutating func count(at place: Int) {
        var place = place
        while text[place] == UInt8(ascii: "9") {
            text[place] = UInt8(ascii: "0")
            place -= 1
        }
        text[place] += 1
    }

    private mutating func make(_ seq: UInt64, _ renderer: EntryRenderer) {
        text = Self.text(seq, renderer)
        // The places in which a number with another last digit differs.
        let other = Self.text(seq % 10 == 9 ? seq - 1 : seq + 1, renderer)
        lastDigits = zip(text.indices, zip(text, other)).filter { $0.1.0 != $0.1.1 }.map(\.0)
        limit = 1
        while limit <= seq, limit < 1_000_000_000_000_000_000 { limit *= 10 }
    }

    private static func text(_ seq: UInt64, _ renderer: EntryRenderer) -> [UInt8] {
        var buffer = LineBuffer(capacity: 256)
        renderer.writeHead(seq: seq, to: &buffer)
        return unsafe buffer.withBytes { unsafe Array($0) }
    }
}
