import APNs
import HTTP
import Testing

struct ProviderTokenBase64Tests {
    private func decode(_ text: String) -> ProviderTokenBase64.Decoded? {
        let bytes = Array(text.utf8)
        return ProviderTokenBase64.decode(bytes.span)
    }

    /// The vectors of RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"),
    ])
    func `the vectors of RFC 4648`(_ text: String, _ plain: String) {
        #expect(decode(text)?.bytes == Array(plain.utf8))
        #expect(decode(text)?.isStandard == text.contains("="))
        let bare = text.replacing("=", with: "")
        #expect(decode(bare)?.bytes == Array(plain.utf8))
        #expect(decode(bare)?.isStandard == false)
    }

    @Test func `both alphabets mean the same`() {
        #expect(decode("-_-_")?.bytes == [0xFB, 0xFF, 0xBF])
        #expect(decode("+/+/")?.bytes == [0xFB, 0xFF, 0xBF])
        #expect(decode("-_-_")?.isStandard == false)
        #expect(decode("+/+/")?.isStandard == true)
    }

    @Test(arguments: [
        "A", "AAAAA", "A=", "A==", "A===", "AA=", "AAA==", "AAAA=", "AAAA====", "=", "==", "AA=A", "A A", "AA\n", "Ä",
    ])
    func `other lengths, paddings and characters are refused`(_ text: String) {
        #expect(decode(text) == nil)
    }

    @Test(arguments: [31, 32] as [UInt64])
    func `random bytes never trap, and only the alphabet decodes`(_ seed: UInt64) {
        var random = FastRandom(seed: seed)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/".utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 43...122, using: &random) : UInt8.random(in: 65...90, using: &random)
            }
            let isPlain = bytes.allSatisfy(alphabet.contains) && bytes.count % 4 != 1
            if !bytes.contains(UInt8(ascii: "=")) {
                let isDecoded = ProviderTokenBase64.decode(bytes.span) != nil
                #expect(isDecoded == isPlain, "seed \(seed): \(bytes)")
            } else {
                _ = ProviderTokenBase64.decode(bytes.span)
            }
        }
    }
}
