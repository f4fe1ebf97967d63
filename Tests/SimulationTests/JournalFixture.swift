import APNs
import Foundation
import HTTP
import Simulation

/// Entries as the decision makes them, with as little as a test wants to say.
enum JournalFixture {
    static let token = "6f1e2d3c4b5a69788796a5b4c3d2e1f06f1e2d3c4b5a69788796a5b4c3d2e1f0"
    static let payload =
        #"{"aps":{"alert":{"title":"Shipped","body":"Order 42"},"badge":1,"sound":"default"},"orderId":42}"#

    static func request(
        device: String = token, headers: [(HeaderName, String, String)] = [], topic: String = "com.acme.app",
        payload: String = payload
    ) -> HTTPRequest {
        var request = HTTPRequest()
        add(.method, ":method", "POST", to: &request)
        add(.path, ":path", "/3/device/" + device, to: &request)
        add(.apnsTopic, "apns-topic", topic, to: &request)
        for (name, spelling, value) in headers { add(name, spelling, value, to: &request) }
        Array(payload.utf8).withUnsafeBytes { request.appendBody($0) }
        return request
    }

    static func add(_ name: HeaderName, _ spelling: String, _ value: String, to request: inout HTTPRequest) {
        Array(spelling.utf8).withUnsafeBytes { spelling in
            Array(value.utf8).withUnsafeBytes { request.append(name, name: spelling, value: $0) }
        }
    }

    static func content(
        _ outcome: JournalEntry.Outcome = .accepted, device: String = token, connection: UInt64 = 7,
        headers: [(HeaderName, String, String)] = [], topic: String = "com.acme.app", payload: String = payload
    ) -> JournalEntry.Content {
        let request = request(device: device, headers: headers, topic: topic, payload: payload)
        let path = request.valueRange(.path)!
        let peer = PeerConnection(
            id: connection, peer: "127.0.0.1:53122", listener: "127.0.0.1:2197", serverName: "localhost", alpn: "h2",
            tlsVersion: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256")
        var content = JournalEntry.Content(
            receivedAt: 1_768_469_400_123, serverTime: 1_768_469_400_123, outcome: outcome, request: request,
            connection: PeerConnectionReference(peer))
        content.device = path.lowerBound + 10..<path.upperBound
        content.pushType = .alert
        content.status = outcome == .accepted ? 200 : 400
        content.payload.form = .json
        return content
    }

    static func entry(
        _ outcome: JournalEntry.Outcome = .accepted, device: String = token, payload: String = payload
    ) -> JournalEntry {
        JournalEntry(content(outcome, device: device, payload: payload))
    }

    static func journal(
        entries: Int = 10_000, bytes: Int = 64 << 20, log: InspectionLog? = nil
    ) -> Journal {
        Journal(
            limits: .init(entries: entries, bytes: bytes), log: log,
            renderer: EntryRenderer(instance: "k3x9", adminBase: "http://127.0.0.1:2198"))
    }

    /// A path in a new directory of the test's own.
    static func path(_ name: String = "inspection.ndjson") throws -> String {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory.appendingPathComponent(name).path
    }

    /// The lines of a file, each read as JSON.
    static func lines(_ path: String) throws -> [[String: Any]] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
            guard let object = object as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
            return object
        }
    }
}
