import APNs
import EventLoop
import HTTP2
import Simulation
import TLS

/// One peer: its descriptor, its TLS and its HTTP/2, and the phase they are in. Confined to its worker's loop.
///
/// The other files of this class follow its life: opening and handshake, requests, output, end.
final class Connection: ReadinessHandler {
    /// How many of a peer's bytes the log shows when the connection breaks.
    static let keptBytes = 64

    /// The number under which the log shows the connection.
    var id: UInt64 { accepted.id }
    let accepted: AcceptedConnection
    let worker: Worker
    var phase = ConnectionPhase()
    var watch: SocketWatch?
    /// Ends the opening and the handshake, later the lingering.
    var deadline: LoopTimer?
    var idleWatch: IdleWatch?

    var opening: ClearTextOpening
    /// The first bytes of the peer.
    var firstBytes: [UInt8] = []
    /// The host that the peer asked a tunnel to.
    var tunnelHost: String?
    var tls: TLSSession?
    /// What carries HTTP/2, once it has begun.
    var channel: Channel?
    var http2: HTTP2Session?
    /// What the rules remember, and the connection as entries of the log refer to it.
    var state: ConnectionState
    /// What testers are shown of the connection.
    let record: ConnectionRecord
    /// Why it ends, in words; the first reason stays.
    var endWords: String?
    /// How many of the session's GOAWAYs are in the record.
    var recordedGoAways = 0
    /// The connection as other namespaces than the default one see it.
    var views = NamespaceViews()
    /// Whether the peer has sent a byte of HTTP/2.
    var hasSpoken = false
    /// Whether HTTP/2 has failed, so that nothing more is read.
    var isBroken = false
    /// Whether the peer has closed its side, and waits for its answers.
    var isHalfClosed = false
    /// Looks after a peer that goes.
    var leaving: LoopTimer?
    /// Output that TLS has not taken yet.
    var unsent = UnsentOutput()
    var isFlushDue = false
    /// How much was read away since the connection broke.
    var lingeredBytes = 0
    /// What a script has done to it; nil for nearly all.
    var script: ConnectionScript?

    /// Takes over the descriptor and waits for its first bytes.
    init(_ accepted: AcceptedConnection, worker: Worker) throws(EventLoopError) {
        self.worker = worker
        self.accepted = accepted
        state = ConnectionState(connection: PeerConnectionReference(accepted.facts))
        record = worker.core.connections.open(
            state.connection, listenerKind: accepted.kind.rawValue, at: EventLoop.wallClockMilliseconds())
        opening = ClearTextOpening(
            limit: worker.limits.connectHeadBytes, speaksHTTP2: accepted.kind == .h2c,
            acceptsConnect: worker.core.configuration.acceptsConnect)
        watch = try worker.loop.watch(accepted.descriptor, self)
        setDeadline(worker.limits.handshakeMilliseconds)
    }

    func readable() {
        switch phase.name {
        case .opening: readOpening()
        case .handshake: goOnWithHandshake()
        case .http2, .draining: readRequests()
        case .lingering: readAway()
        case .closed: break
        }
    }

    func writable() {
        switch phase.name {
        case .handshake: goOnWithHandshake()
        case .http2, .draining: flush()
        case .opening, .lingering, .closed: watch?.wantsWrite = false
        }
    }

    /// Takes down what the handshake told. An Apple host name decides the environment, wherever the peer gave it.
    func learnPeer(from tls: TLSSession) {
        var facts = state.connection.value
        facts.serverName = tls.serverName
        facts.alpn = tls.alpn
        facts.tlsVersion = tls.version
        facts.cipher = tls.cipher
        facts.certificate = tls.peerCertificate
        if let environment = (tls.serverName ?? tunnelHost).flatMap({ Environment(hostName: $0) }) {
            facts.environment = environment
        }
        state = ConnectionState(connection: PeerConnectionReference(facts))
        views.memory = NamespaceMemory(
            serverName: tls.serverName, certificateSerial: tls.peerCertificate?.serial)
    }
}

@available(*, unavailable)
extension Connection: Sendable {}
