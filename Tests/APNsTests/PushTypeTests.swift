import APNs
import Testing

struct PushTypeTests {
    @Test(arguments: PushType.allCases)
    func `the header's value names the type in lower case only`(_ type: PushType) {
        #expect(type.row.name.description == type.rawValue)
        #expect(PushType(header: Array(type.rawValue.utf8).span) == type)
        #expect(PushType(header: Array(type.rawValue.uppercased().utf8).span) == nil)
        #expect(PushType(header: Array((type.rawValue + "s").utf8).span) == nil)
        #expect(PushType(header: Array(type.rawValue.dropLast().utf8).span) == nil)
    }

    @Test func `the suffixes are Apple's`() {
        let suffixes = Dictionary(
            uniqueKeysWithValues: PushType.allCases.map { ($0, $0.row.topicSuffix?.description) })
        #expect(
            suffixes == [
                .alert: nil, .background: nil, .mdm: nil, .complication: ".complication",
                .controls: ".push-type.controls", .fileprovider: ".pushkit.fileprovider",
                .liveactivity: ".push-type.liveactivity", .location: ".location-query", .pushtotalk: ".voip-ptt",
                .voip: ".voip", .widgets: ".push-type.widgets",
            ])
    }

    @Test(arguments: PushType.allCases)
    func `a topic tells its type by its suffix`(_ type: PushType) {
        guard let suffix = type.row.topicSuffix else { return }
        #expect(PushType(suffixOf: Array("com.example.app\(suffix)".utf8).span) == type)
        #expect(PushType(suffixOf: Array("com.example.app\(suffix)x".utf8).span) == nil)
        #expect(PushType(suffixOf: Array("\(suffix)".utf8).span) == nil)
    }

    @Test(arguments: [
        "com.example.app", "", "voip", "com.example.voip-app", "com.example.app.voip.", "pass.com.example",
    ])
    func `a plain bundle id has no suffix`(_ topic: String) {
        #expect(PushType(suffixOf: Array(topic.utf8).span) == nil)
    }

    @Test(arguments: PushType.allCases)
    func `only VoIP payloads may be larger`(_ type: PushType) {
        #expect(type.row.payloadLimit == (type == .voip ? 5120 : 4096))
        #expect(!type.row.advisedPriorities.isEmpty)
        #expect(type.row.source.description.hasPrefix("https://developer.apple.com/documentation/"))
    }

    @Test func `File Provider, Live Activity and location pushes need a provider token`() {
        #expect(
            PushType.allCases.filter { $0.row.certificateUse == .never } == [.fileprovider, .liveactivity, .location])
    }
}
