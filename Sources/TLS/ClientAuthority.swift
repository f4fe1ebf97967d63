import COpenSSL
import Locking

/// Issues the certificates by which senders authenticate themselves instead of by tokens: the CA that this server alone trusts,
/// and the RSA key that its certificates share.
package struct ClientAuthority: Sendable {
    /// The key of a certificate to be issued.
    package enum Key: String, Sendable, CaseIterable {
        /// The RSA 2048 key that all share.
        case shared
        /// An RSA 2048 key of its own.
        case rsa
        /// A P-256 key of its own; several senders read RSA keys only.
        case ec
    }

    let authority: CertificateAuthority
    let sharedKey: SharedKey

    /// The CA's certificate.
    package var certificatePEM: String { authority.certificatePEM }

    /// A CA that nobody trusts, for certificates that shall be refused.
    package static func stranger() throws(TLSError) -> ClientAuthority {
        try stranger(SharedKey(nil))
    }

    /// A CA that nobody trusts, whose certificates share this one's key.
    package func stranger() throws(TLSError) -> ClientAuthority {
        try Self.stranger(sharedKey)
    }

    private static func stranger(_ sharedKey: SharedKey) throws(TLSError) -> ClientAuthority {
        try ClientAuthority(
            authority: .forClients(key: .generateP256(), now: SystemTime.now), sharedKey: sharedKey)
    }

    /// Issues a client certificate.
    package func issue(_ request: ClientCertificateRequest, key: Key = .shared) throws(TLSError) -> ClientIdentity {
        switch key {
        case .shared: try issue(request, for: sharedKey.key())
        case .rsa: try issue(request, for: .generateRSA())
        case .ec: try issue(request, for: .generateP256())
        }
    }

    /// Issues a client certificate for a key.
    func issue(_ request: ClientCertificateRequest, for key: KeyHandle) throws(TLSError) -> ClientIdentity {
        try request.check()
        let template = CertificateTemplate(
            subject: [(NID_userId, request.userID), (NID_commonName, request.commonName)],
            notBefore: request.notBefore, notAfter: request.notAfter, extensions: request.extensions)
        return try ClientIdentity(
            template.sign(for: key, issuer: authority.certificate, issuerKey: authority.key), key)
    }
}

/// The RSA key that client certificates share, made when it is first needed: making one takes 50 to 180 ms, and most
/// senders under test use provider tokens.
final class SharedKey: Sendable {
    private let made: Lock<KeyHandle?>

    /// With the key, where there is one already.
    init(_ key: KeyHandle?) {
        made = Lock(key)
    }

    func key() throws(TLSError) -> KeyHandle {
        try made.withLock { made throws(TLSError) in
            if let made { return made }
            let key = try KeyHandle.generateRSA()
            made = key
            return key
        }
    }
}
