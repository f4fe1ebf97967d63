import Locking
import Synchronization
package import TLS

/// The client certificates that this server knows of: those of its folder and those it issued, and which are revoked.
package final class CertificateRegistry: Sendable {
    /// A certificate and whether it still counts.
    package struct Record: Sendable {
        package let certificate: PeerCertificate
        package fileprivate(set) var isRevoked: Bool

        package init(certificate: PeerCertificate, isRevoked: Bool) {
            self.certificate = certificate
            self.isRevoked = isRevoked
        }
    }

    private struct State {
        var records: [Record]
        /// Serial numbers of the revoked ones.
        var revoked: Set<String>
    }

    /// How many certificates are remembered; more are not taken, since a forgotten one could no longer be revoked.
    package static let limit = 10_000

    private let initial: [Record]
    private let state: Lock<State>
    /// How many are revoked: asked with each request of a certificate's connection, and nearly always 0.
    private let revokedCount = Atomic<Int>(0)

    /// A registry that knows these certificates.
    package init(_ certificates: [PeerCertificate]) {
        initial = certificates.map { Record(certificate: $0, isRevoked: false) }
        state = Lock(State(records: initial, revoked: []))
    }

    /// A registry that knows the certificates of this one's start.
    func sibling() -> CertificateRegistry {
        CertificateRegistry(initial.map(\.certificate))
    }

    /// The serial numbers of the start.
    var initialSerials: Set<String> { Set(initial.map(\.certificate.serial)) }

    /// All certificates, the oldest first.
    package var all: [Record] { state.withLock { $0.records } }

    /// The certificate with a serial number.
    package func certificate(serial: String) -> PeerCertificate? {
        state.withLock { $0.records.first { $0.certificate.serial == serial }?.certificate }
    }

    /// Remembers a certificate that was issued now; false when there are too many.
    @discardableResult
    package func add(_ certificate: PeerCertificate, isRevoked: Bool) -> Bool {
        change { state in
            guard state.records.count < Self.limit else { return false }
            state.records.append(Record(certificate: certificate, isRevoked: isRevoked))
            if isRevoked { state.revoked.insert(certificate.serial) }
            return true
        }
    }

    /// Revokes a certificate, or takes that back; nil when none has this serial number.
    package func set(revoked isRevoked: Bool, serial: String) -> Record? {
        change { state in
            guard let index = state.records.firstIndex(where: { $0.certificate.serial == serial }) else { return nil }
            state.records[index].isRevoked = isRevoked
            if isRevoked { state.revoked.insert(serial) } else { state.revoked.remove(serial) }
            return state.records[index]
        }
    }

    /// Whether a certificate is revoked.
    package func isRevoked(_ certificate: PeerCertificate) -> Bool {
        guard revokedCount.load(ordering: .acquiring) > 0 else { return false }
        return state.withLock { $0.revoked.contains(certificate.serial) }
    }

    /// Back to the certificates of the start, none of them revoked.
    package func reset() {
        change { $0 = State(records: initial, revoked: []) }
    }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            revokedCount.store(state.revoked.count, ordering: .releasing)
            return result
        }
    }
}
