import APNs
import Simulation

/// The devices that the rows of devices.json speak of, by their letters.
enum DeviceFixture {
    /// When the tokens of G and X went out of use, in milliseconds since 1970.
    static let gone: Int64 = 1_700_000_000_000

    static let tokens: [String: String] = [
        "D": PushSender.device, "G": token("60"), "X": token("e4"), "V": token("70"), "P": token("50"),
        "O": token("0f"), "W": token("3c"), "U": token("11"), "A": token("aa"),
    ]

    static let devices: [Device] = [
        device("D", "com.example.app"), device("G", "com.example.app", .unregistered),
        device("X", "com.example.app", .expired), device("V", "com.example.app.voip"),
        device("P", "com.example.app", environment: .production), device("O", "com.example.app", .offline),
        device("W", "com.example.*"), device("A", nil),
    ]

    private static func token(_ byte: String) -> String { String(repeating: byte, count: 32) }

    private static func device(
        _ name: String, _ topic: String?, _ state: Device.State = .active, environment: Environment = .sandbox
    ) -> Device {
        var device = Device(
            token: tokens[name] ?? "", environment: environment, topics: topic.map { [TopicPattern($0)] } ?? [],
            now: gone)
        device.become(state, since: gone, now: gone, cursor: 0)
        return device
    }
}
