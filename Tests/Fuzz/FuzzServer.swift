import APNs
import HTTP
import HTTP2
import JSON
import Simulation
import TLS

/// A world that judges requests as a server does, at a time that stands still.
final class FuzzServer {
    /// 2026-01-15T09:30:00Z.
    static let time: Int64 = 1_768_469_400_000
    /// As much of a body as a session keeps.
    static let bodyLimit = HTTP2Session.Configuration().maxBodyBytes
    let simulator: Simulator
    private let certificate: Bool
    private var scratch = DecisionScratch(random: FastRandom(seed: 1))
    private var lines = JSONDocument()

    /// Senders come with a client certificate, so that each request gets as far as its payload, or with what they send.
    init(profile: Profile, certificate: Bool) {
        self.certificate = certificate
        var configuration = Simulator.Configuration()
        configuration.profile = profile
        configuration.acceptsUnknownKeys = true
        let journal = Journal(
            limits: Journal.Limits(entries: 20, bytes: 1 << 20), log: nil,
            renderer: EntryRenderer(instance: "fuzz", adminBase: nil))
        simulator = Simulator(
            configuration: configuration, journal: journal, keys: KeyStore([]),
            clock: ServerClock(frozenAt: Self.time))
    }

    /// Judges an ordinary push.
    func push() {
        var builder = HTTPRequestBuilder()
        builder.append(":method", "POST")
        builder.append(":path", "/3/device/" + String(repeating: "ab", count: 32))
        builder.append("apns-topic", "com.example.app")
        builder.append("apns-push-type", "alert")
        let payload = #"{"aps":{"alert":{"title":"Shipped","body":"Order 42"},"badge":3},"order":{"id":[42]}}"#
        Array(payload.utf8).withUnsafeBytes { builder.appendBody($0, limit: Self.bodyLimit) }
        judge(builder.request())
    }

    /// Judges a request and looks at the entry in every way there is.
    func judge(_ request: HTTPRequest) {
        let peer = PeerConnection(
            id: 1, peer: "127.0.0.1:50000", listener: "127.0.0.1:2197", environment: .sandbox,
            certificate: certificate
                ? PeerCertificate(subject: "CN=fuzz", listing: [PeerCertificate.Topic("com.example.app")]) : nil)
        var state = ConnectionState(connection: PeerConnectionReference(peer))
        let decision = simulator.decide(
            request, stream: 1, on: &state, scratch: &scratch, now: Instant(machine: Self.time, server: Self.time))
        precondition(simulator.journal.commit([decision.entry]) == 1, "there is no log that could fail")
        for entry in simulator.journal.snapshot(after: simulator.journal.cursor - 1).entries { look(at: entry) }
    }

    /// The entry's object is JSON, comes back as an entry, and has a preview.
    private func look(at entry: JournalEntry) {
        var writer = JSONWriter()
        simulator.journal.renderer.write(entry, to: &writer)
        if let fault = lines.parse(writer.bytes) {
            broken("an entry's object is no JSON: \(fault.message) at \(fault.offset)")
        }
        guard let object = EntryObject(lines, lines.root) else { broken("an entry's object is no object") }
        var reader = EntryReader()
        do throws(EntryReader.Fault) {
            _ = try reader.entry(object)
        } catch {
            broken("an entry does not come back: \(error.path) \(error.message)")
        }
        _ = Preview(PreviewQuestion(entry, in: simulator))
    }
}
