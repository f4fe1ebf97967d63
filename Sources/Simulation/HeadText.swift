/// The members of an entry that hold its number, kept from one line to the next: mostly only the last digit is another.
///
/// Of use for one renderer only.
struct HeadText {
    private var text: [UInt8] = []
    /// Where in the text the last digits of the number are.
    private var lastDigits: [Int] = []
    private var seq = UInt64.max

    /// Adds the members for a number.
    mutating func write(_ seq: UInt64, _ renderer: EntryRenderer, to buffer: inout LineBuffer) {
        if seq &- 1 == self.seq, seq % 10 != 0 {
            for place in lastDigits { text[place] += 1 }
        } else {
            make(seq, renderer)
        }
        self.seq = seq
        buffer.append(text)
    }

    private mutating func make(_ seq: UInt64, _ renderer: EntryRenderer) {
        text = Self.text(seq, renderer)
        // The places in which the next number, or the one before, has another digit.
        let other = Self.text(seq % 10 == 9 ? seq - 1 : seq + 1, renderer)
        lastDigits = zip(text.indices, zip(text, other)).filter { $0.1.0 != $0.1.1 }.map(\.0)
    }

    private static func text(_ seq: UInt64, _ renderer: EntryRenderer) -> [UInt8] {
        var buffer = LineBuffer(capacity: 256)
        renderer.writeHead(seq: seq, to: &buffer)
        return unsafe buffer.withBytes { unsafe Array($0) }
    }
}
