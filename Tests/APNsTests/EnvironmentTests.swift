import APNs
import Testing

struct EnvironmentTests {
    private func environment(_ host: String) -> Environment? {
        let bytes = Array(host.utf8)
        return Environment(host: bytes.span)
    }

    @Test(
        arguments: [
            ("api.push.apple.com", .production), ("api.push.apple.com:443", .production),
            ("api.push.apple.com:2197", .production), ("api.sandbox.push.apple.com", .sandbox),
            ("api.development.push.apple.com:443", .sandbox), ("api-broadcast.push.apple.com", .production),
            ("api-broadcast.sandbox.push.apple.com", .sandbox),
            ("api-manage-broadcast.push.apple.com:2196", .production),
            ("api-manage-broadcast.sandbox.push.apple.com:2195", .sandbox),
        ] as [(String, Environment)])
    func `Apple's host names tell the environment`(_ host: String, _ expected: Environment) {
        #expect(environment(host) == expected)
        #expect(Environment(hostName: host.uppercased()) == expected)
    }

    @Test(arguments: [
        "", "localhost", "127.0.0.1:2197", "[::1]:2197", "api", "api.push.apple.com.evil.org", "xapi.push.apple.com",
        "push.apple.com", "api.push.apple.co",
    ])
    func `other names tell nothing`(_ host: String) {
        #expect(environment(host) == nil)
        #expect(Environment(hostName: host) == nil)
    }
}
