import APNs
import HTTP
import Testing

struct RouteTests {
    /// The route of a path, with the text of its variable part.
    private func route(_ path: String) -> (Route, String?) {
        let bytes = Array("POST\(path)".utf8)
        let route = Route(path: ByteRange(4..<bytes.count), in: bytes.span)
        switch route {
        case .device(let place), .broadcast(let place), .channels(let place), .allChannels(let place):
            return (route, String(decoding: bytes[place.bounds], as: UTF8.self))
        case .unknown: return (route, nil)
        }
    }

    @Test func `the four kinds of paths`() {
        let device = route("/3/device/abcd")
        #expect(device.1 == "abcd")
        if case .device = device.0 {} else { Issue.record("\(device)") }
        let broadcast = route("/4/broadcasts/apps/com.example.app")
        #expect(broadcast.1 == "com.example.app")
        if case .broadcast = broadcast.0 {} else { Issue.record("\(broadcast)") }
        let channels = route("/1/apps/com.example.app/channels")
        #expect(channels.1 == "com.example.app")
        if case .channels = channels.0 {} else { Issue.record("\(channels)") }
        let all = route("/1/apps/com.example.app/all-channels")
        #expect(all.1 == "com.example.app")
        if case .allChannels = all.0 {} else { Issue.record("\(all)") }
    }

    @Test func `a device path may lack its token`() {
        #expect(route("/3/device/").1 == "")
    }

    @Test(arguments: [
        "", "/", "/3", "/3/device", "/3/devices/abcd", "/2/device/abcd", "/3/device/abcd/", "/3/device//abcd",
        "//3/device/abcd", "/3/device/abcd?x=1", "/3/device/ab%63d", "/3/device/abcd#x", "/3/Device/abcd",
        "/4/broadcasts/apps/", "/4/broadcasts/apps/a/b", "/1/apps/channels", "/1/apps//channels",
        "/1/apps/a/b/channels", "/1/apps/a/channels/", "/1/apps/a/channels?x", "3/device/abcd", "*",
        "/1/apps/a\n/channels", "/1/apps/a\r/all-channels", "/4/broadcasts/apps/a\u{0}",
        "https://api.push.apple.com/3/device/abcd",
    ])
    func `everything else is unknown`(_ path: String) {
        #expect(route(path).0 == .unknown)
    }

    @Test(arguments: [51, 52, 53] as [UInt64])
    func `random paths agree with a plain reading`(_ seed: UInt64) {
        var random = FastRandom(seed: seed)
        let pieces = [
            "/", "3", "1", "4", "device", "apps", "broadcasts", "channels", "all-channels", "a", "?", "%", "#",
            "/3/device/", "/1/apps/", "/4/broadcasts/apps/", "\u{0}", "é",
        ]
        for _ in 0..<4000 {
            let path = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            #expect(route(path).1 == plainReading(path), "seed \(seed): \(path)")
        }
    }

    /// The variable part of a path, by splitting it at its slashes.
    private func plainReading(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        func isPlain(_ part: String) -> Bool { !part.contains { "?%#".contains($0) } }
        switch parts.count {
        case 4 where parts[0...2] == ["", "3", "device"] && isPlain(parts[3]): return parts[3]
        case 5 where path.contains("\u{0}"): return nil
        case 5 where parts[0...3] == ["", "4", "broadcasts", "apps"] && isPlain(parts[4]) && parts[4] != "":
            return parts[4]
        case 5
        where parts[0...2] == ["", "1", "apps"] && ["channels", "all-channels"].contains(parts[4])
            && isPlain(parts[3]) && parts[3] != "":
            return parts[3]
        default: return nil
        }
    }
}
