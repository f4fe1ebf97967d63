import APNs
import JSON
import Testing

struct PayloadSizeTests {
    @Test func `each key is measured`() throws {
        let text = #" {"aps":{"alert":{"title":"é"},"badge" : 1},"a.b":[1, 2]} "#
        var document = JSONDocument()
        #expect(document.parse(Array(text.utf8)) == nil)
        let size = PayloadSize(document, limit: 40)
        #expect(size.total == text.utf8.count)
        #expect(size.remaining == 40 - text.utf8.count)
        #expect(
            size.parts == [
                PayloadSize.Part(
                    path: "aps", bytes: #""aps":{"alert":{"title":"é"},"badge" : 1}"#.utf8.count,
                    parts: [
                        PayloadSize.Part(
                            path: "aps.alert", bytes: 22,
                            parts: [PayloadSize.Part(path: "aps.alert.title", bytes: 12)]),
                        PayloadSize.Part(path: "aps.badge", bytes: 11),
                    ]),
                PayloadSize.Part(path: #"a\.b"#, bytes: 12),
            ])
        // Two blanks, two braces, one comma.
        #expect(size.between == 5)
    }

    @Test func `an empty payload has no parts`() {
        var document = JSONDocument()
        #expect(document.parse(Array("{}".utf8)) == nil)
        let size = PayloadSize(document, limit: 4096)
        #expect(size.parts.isEmpty)
        #expect(size.between == 2)
    }
}
