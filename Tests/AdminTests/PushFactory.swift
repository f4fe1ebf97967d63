import APNs
import Foundation
import HTTP
import Simulation

/// Accepted pushes in numbers, as cheap as they come.
struct PushFactory: Sendable {
    private let connection = PeerConnectionReference(
        PeerConnection(id: 1, peer: "127.0.0.1:53122", listener: "127.0.0.1:2197"))

    /// The device token number `number`.
    static func device(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// An accepted push to a device.
    func push(_ device: String, alert: String = "hi") -> JournalEntry {
        var request = HTTPRequest()
        request.append(.path, ":path", "/3/device/" + device)
        request.append(.apnsTopic, "apns-topic", "com.acme.app")
        Array(#"{"aps":{"alert":"\#(alert)"}}"#.utf8).withUnsafeBytes { request.appendBody($0) }
        var content = JournalEntry.Content(
            receivedAt: 0, serverTime: 0, outcome: .accepted, request: request, connection: connection)
        let path = request.valueRange(.path) ?? 0..<0
        content.device = path.lowerBound + "/3/device/".utf8.count..<path.upperBound
        content.pushType = .alert
        content.status = 200
        return JournalEntry(content)
    }
}
