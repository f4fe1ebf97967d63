import HTTP
import Testing

@Suite struct UUIDTextTests {
    @Test(arguments: [
        "eabeae54-14a8-11e5-b60b-1697f925ec7b", "9D3220FE-444B-633E-D1F1-5D0DCB4F537A",
        "00000000-0000-0000-0000-000000000000", "FfFfFfFf-fFfF-FfFf-fFfF-FfFfFfFfFfFf",
    ])
    func `an id is kept as it was written`(text: String) throws {
        let id = try #require(UUIDText(text.utf8))
        #expect(id.description == text)
        #expect(id.withBytes { Array($0) } == Array(text.utf8))
        #expect(UUIDText(Array(text.utf8).span) == id)
        #expect(UUIDText(Array(text.utf8)[...]) == id)
    }

    @Test(arguments: [
        "", "123", "eabeae54-14a8-11e5-b60b-1697f925ec7", "eabeae54-14a8-11e5-b60b-1697f925ec7bb",
        "eabeae5-414a8-11e5-b60b-1697f925ec7b", "eabeae54-14a8-11e5-b60b-1697f925ec7g",
        "eabeae54014a8011e50b60b01697f925ec7b", "{abeae54-14a8-11e5-b60b-1697f925ec7}",
        "eabeae54-14a8-11e5-b60b-1697f925ec7 ", "eabeae54-14a8-11e5-b60b-1697f925ec7\u{0}",
    ])
    func `anything else is no id`(text: String) {
        #expect(UUIDText(text.utf8) == nil)
        #expect(UUIDText(Array(text.utf8).span) == nil)
    }

    @Test func `each byte value is judged at each place`() throws {
        let good = Array("eabeae54-14a8-11e5-b60b-1697f925ec7b".utf8)
        for position in good.indices {
            for byte in UInt8.min...UInt8.max {
                var text = good
                text[position] = byte
                let isDash = good[position] == UInt8(ascii: "-")
                let expected = isDash ? byte == UInt8(ascii: "-") : byte.isHexDigit
                if (UUIDText(text) != nil) != expected { Issue.record("byte \(byte) at \(position)") }
            }
        }
    }

    @Test func `new ids are upper case, well formed and unlike each other`() {
        var random = FastRandom(seed: 7)
        var seen: Set<UUIDText> = []
        for _ in 0..<1000 {
            let id = UUIDText.random(using: &random)
            #expect(UUIDText(id.description.utf8) == id)
            #expect(id.description == id.description.uppercased())
            seen.insert(id)
        }
        #expect(seen.count == 1000)
        #expect(Set(seen.flatMap { Array($0.description) }) == Set("0123456789ABCDEF-"))
    }
}
