import Foundation
import JSON
import Testing

/// Random texts: the scanner never stops early, and judges as Foundation does where the two should agree.
struct JSONFuzzTests {
    /// A small generator, so that a seed that is printed gives the same run again.
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    static let seeds = [
        #"{"aps":{"alert":{"title":"Shipped","body":"Order 42 is on its way"},"badge":1,"sound":"default"},"n":-1.5e+3}"#,
        #"[1,2.5,"a\u00e9\n\"",{"x":[[],{}],"y":null},true,false,"\uD83D\uDE00",""]"#,
        "{\"ключ\":\"значение 😀\",\"k\":[0,-0,1E5,0.0001]}",
    ].map { Array($0.utf8) }

    static func mutated(_ text: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = text
        let interesting = Array("{}[]\",:\\u0123 \n\teE+-.tfn".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &generator)
            let byte = interesting.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where !bytes.isEmpty: bytes[place] = byte
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.insert(byte, at: place)
            case 3: bytes.removeSubrange(place...)
            default:
                let end = min(bytes.count, place + 12)
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        return bytes
    }

    @Test func `mutated texts are judged, walked and read without a trap`() {
        let seed = UInt64(20_260_115)
        print("seed \(seed)")
        var generator = Generator(state: seed)
        var document = JSONDocument()
        var accepted = 0
        for round in 0..<6000 {
            let bytes = Self.mutated(Self.seeds[round % Self.seeds.count], &generator)
            if let fault = document.parse(bytes) {
                #expect((0...bytes.count).contains(fault.offset))
                continue
            }
            accepted += 1
            visit(document.root, document, bytes)
        }
        #expect(accepted > 300 && accepted < 5700)
    }

    func visit(_ element: JSONElement, _ document: JSONDocument, _ bytes: [UInt8]) {
        let range = document.range(element)
        #expect(range.lowerBound >= 0 && range.upperBound <= bytes.count && !range.isEmpty)
        _ = document.key(of: element)
        _ = document.integer(element)
        _ = document.double(element)
        #expect((document.string(element) != nil) == (document.kind(element) == .string))
        for child in document.children(of: element) {
            #expect(document.range(child).clamped(to: range) == document.range(child))
            visit(child, document, bytes)
        }
    }

    @Test func `Foundation accepts what we accept`() {
        let seed = UInt64(8259)
        print("seed \(seed)")
        var generator = Generator(state: seed)
        var document = JSONDocument()
        for round in 0..<2000 {
            let bytes = Self.mutated(Self.seeds[round % Self.seeds.count], &generator)
            let isOurs = document.parse(bytes) == nil
            let isTheirs = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            // Foundation refuses numbers that no Double holds; everything else that we accept it must read too.
            if isOurs, !isTheirs {
                Issue.record("Foundation refuses: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test func `what the writer writes is what is read`() throws {
        let seed = UInt64(33)
        print("seed \(seed)")
        var generator = Generator(state: seed)
        for _ in 0..<2000 {
            let value = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                        Unicode.Scalar(
                            UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x1FFFF), using: &generator))
                    }))
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(dynamic: value)
            writer.string(value)
            writer.endObject()
            var document = JSONDocument()
            #expect(document.parse(writer.bytes) == nil)
            let member = try #require(document.firstChild(of: document.root))
            #expect(document.string(member)?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
            #expect(document.key(of: member)?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
        }
    }
}
