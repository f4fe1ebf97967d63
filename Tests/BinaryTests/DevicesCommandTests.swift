import Foundation
import TestSupport
import Testing

/// `devices` against a running server.
struct DevicesCommandTests {
    @Test func `devices are added, changed, listed and removed, and the sender meets them`() throws {
        let server = try ServeProcess("--unknown-devices", "reject", "--seed", "7")
        let unknown = try server.send("--to", TestServer.randomDevice())
        #expect(unknown.exitCode == 1)
        #expect(unknown.output.hasPrefix("400 BadDeviceToken"))

        let added = try server.ask("devices", "add", "-c", "2", "--topic", "com.example.app")
        #expect(added.exitCode == 0, "\(added.errors)")
        let tokens = added.output.split(separator: "\n").map(String.init)
        try #require(tokens.count == 2)
        #expect(try server.send("--to", tokens[0]).exitCode == 0)
        #expect(
            try server.send("--to", tokens[0], "--topic", "com.other").output.hasPrefix("400 DeviceTokenNotForTopic"))

        let changed = try server.ask("devices", "set", tokens[0], "--state", "unregistered", "--since", "-1h")
        #expect(changed.output.hasPrefix("\(tokens[0])  unregistered"), "\(changed.errors)")
        #expect(try server.send("--to", tokens[0]).output.hasPrefix("410 Unregistered"))
        #expect(try server.ask("tail", "--lines", "1").output.contains("Unregistered"))
        #expect(try server.ask("devices", "ls", "--state", "unregistered").output.contains(tokens[0]))
        #expect(try !server.ask("devices", "ls", "--state", "online").output.contains(tokens[0]))
        #expect(try server.ask("devices").output.split(separator: "\n").count == 2)

        #expect(try server.ask("devices", "set", tokens[1], "--state", "offline").exitCode == 0)
        #expect(try server.send("--to", tokens[1], "--title", "Shipped").exitCode == 0)
        #expect(try server.ask("devices", "inbox", tokens[1]).output.contains("stored "))
        #expect(try server.ask("devices", "set", tokens[1], "--state", "online").exitCode == 0)
        #expect(try server.ask("devices", "inbox", tokens[1]).output.contains("Shipped"))

        #expect(try server.ask("devices", "rm", tokens[0]).exitCode == 0)
        #expect(try server.send("--to", tokens[0]).output.hasPrefix("400 BadDeviceToken"))
        #expect(try server.ask("devices", "rm", tokens[0]).exitCode == 1)
        #expect(try server.ask("devices", "add", "xyz").exitCode == 65)
        #expect(try server.ask("devices", "set").exitCode == 64)
        #expect(try server.ask("devices", "lst").errors.contains("did you mean ls?"))
    }

    @Test func `the same seed makes the same tokens`() throws {
        let first = try ServeProcess("--seed", "7").ask("devices", "add", "-c", "3").output
        #expect(try ServeProcess("--seed", "7").ask("devices", "add", "-c", "3").output == first)
        #expect(try ServeProcess("--seed", "8").ask("devices", "add", "-c", "3").output != first)
    }
}
