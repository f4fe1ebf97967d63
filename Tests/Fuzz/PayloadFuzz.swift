import APNs
import HTTP
import Simulation

/// The body of a push whose header is good; the first byte chooses push type and profile.
enum PayloadFuzz {
    nonisolated(unsafe) private static let servers = Profile.allCases.map { FuzzServer(profile: $0, certificate: true) }

    static func run(_ bytes: [UInt8]) {
        let choice = Int(bytes.first ?? 0)
        let type = PushType.allCases[choice % PushType.allCases.count]
        var builder = HTTPRequestBuilder()
        builder.append(":method", "POST")
        builder.append(":scheme", "https")
        builder.append(":path", "/3/device/" + String(repeating: "ab", count: 32))
        builder.append("apns-topic", "com.example.app")
        builder.append("apns-push-type", type.rawValue)
        builder.append("apns-priority", "5")
        bytes.dropFirst().withUnsafeBytes { builder.appendBody($0, limit: FuzzServer.bodyLimit) }
        servers[choice / 16 % servers.count].judge(builder.request())
    }
}
