import Testing

@testable import EventLoop

struct SocketAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:2197", "127.0.0.1", 2197, "127.0.0.1:2197"),
            ("0.0.0.0:2197", "0.0.0.0", 2197, "0.0.0.0:2197"),
            ("[::1]:2197", "::1", 2197, "[::1]:2197"),
            ("[::1]:0", "::1", 0, "[::1]:0"),
            ("[::]:443", "::", 443, "[::]:443"),
            ("[0:0:0:0:0:0:0:1]:1", "::1", 1, "[::1]:1"),
            ("[2001:DB8::1]:65535", "2001:db8::1", 65535, "[2001:db8::1]:65535"),
            ("localhost:0", "127.0.0.1", 0, "127.0.0.1:0"),
            ("LocalHost:80", "127.0.0.1", 80, "127.0.0.1:80"),
            (":0", "127.0.0.1", 0, "127.0.0.1:0"),
            (":2197", "127.0.0.1", 2197, "127.0.0.1:2197"),
            ("10.0.0.1:00080", "10.0.0.1", 80, "10.0.0.1:80"),
        ] as [(String, String, UInt16, String)])
    func `an address is read`(text: String, host: String, port: UInt16, again: String) throws {
        let address = try #require(SocketAddress(text))
        #expect(address == .ip(host: host, port: port))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.description == again)
        #expect(SocketAddress(again) == address)
    }

    @Test func `a Unix socket's path is read`() throws {
        let address = try #require(SocketAddress("unix:/run/mock apns:1.sock"))
        #expect(address == .unix(path: "/run/mock apns:1.sock"))
        #expect(address.host == nil)
        #expect(address.port == nil)
        #expect(address.description == "unix:/run/mock apns:1.sock")
    }

    @Test(arguments: [
        "", ":", "2197", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:100000", "127.0.0.1:-1",
        "127.0.0.1:+1",
        "127.0.0.1: 1", "127.0.0.1:1 ", " 127.0.0.1:1", "127.0.0.1:0x50", "127.0.0.1:१", "127.0.0:1", "127.0.0.256:1",
        "1.2.3.4.5:1", "::1:2197", "[::1]", "[::1]2197", "[::1:2197", "::1]:2197", "[127.0.0.1]:1", "[fe80::1%eth0]:1",
        "[]:1", "example.com:1", "*:1", "http://127.0.0.1:1", "unix:", "unix:/a\0b", "127.0.0.1\0:1",
        "127.0.0.1:000001",
    ])
    func `nonsense is no address`(text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test(arguments: ["127.0.0.1:2197", "[::1]:80", "unix:/tmp/x"])
    func `the system's form holds the same`(text: String) throws {
        let address = try #require(SocketAddress(text))
        #expect(SystemAddress(address)?.address == address)
    }

    @Test func `a path must fit the system's form`() {
        #expect(SystemAddress(.unix(path: "/" + String(repeating: "a", count: 106))) != nil)
        #expect(SystemAddress(.unix(path: "/" + String(repeating: "a", count: 107))) == nil)
        #expect(SystemAddress(.ip(host: "nonsense", port: 1)) == nil)
    }
}
