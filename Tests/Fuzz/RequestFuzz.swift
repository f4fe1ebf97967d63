import APNs
import HTTP
import Simulation

/// A whole request: lines of `name: value`, an empty line, a body.
enum RequestFuzz {
    nonisolated(unsafe) private static let servers = Profile.allCases.flatMap { profile in
        [true, false].map { FuzzServer(profile: profile, certificate: $0) }
    }

    static func run(_ bytes: [UInt8]) {
        let choice = Int(bytes.first ?? 0)
        var rest = bytes.dropFirst()
        var builder = HTTPRequestBuilder()
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            // The colon of a pseudo header field is part of its name.
            let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            line[..<colon].withUnsafeBytes { name in
                line[colon...].dropFirst().withUnsafeBytes { builder.append(name: name, value: $0) }
            }
        }
        rest.withUnsafeBytes { builder.appendBody($0, limit: FuzzServer.bodyLimit) }
        servers[choice % servers.count].judge(builder.request())
    }
}
