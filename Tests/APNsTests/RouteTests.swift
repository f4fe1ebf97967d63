import APNs
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
        "https://api.push.apple.com/3/device/abcd",
    ])
    func `everything else is unknown`(_ path: String) {
        #expect(route(path).0 == .unknown)
    }
}
