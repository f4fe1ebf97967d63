import HTTP
import Testing

@Suite struct HeaderNameTests {
    static func token(_ name: String) -> HeaderName {
        Array(name.utf8).withUnsafeBytes { HeaderName(spelledAs: $0) }
    }

    @Test(arguments: HeaderName.allCases)
    func `a spelling leads back to its token`(name: HeaderName) {
        #expect(Self.token("\(name.spelling)") == name)
    }

    @Test(arguments: HeaderName.allCases.filter { $0 != .other })
    func `a name with one other byte is none of ours`(name: HeaderName) {
        let spelling = Array("\(name.spelling)".utf8)
        for position in spelling.indices {
            for byte in [spelling[position] ^ 1, spelling[position] ^ 0x20, 0, 255] {
                var changed = spelling
                changed[position] = byte
                let token = changed.withUnsafeBytes { HeaderName(spelledAs: $0) }
                if token != .other { Issue.record("\(name) with byte \(byte) at \(position)") }
            }
        }
    }

    @Test(arguments: ["", "a", "apns", "apns-", "x-apns-collapse-id-and-more", "mock-apns-namespac3", "te"])
    func `other names and lengths are none of ours`(name: String) {
        #expect(Self.token(name) == .other)
    }
}
