import Foundation

@testable import TLS

/// A folder of certificates made once for all tests that only read it.
struct TestCertificates {
    let folder: TemporaryFolder
    let store: CertificateStore

    init(_ subjectNames: [String] = []) throws {
        folder = try TemporaryFolder()
        store = try CertificateStore.open(directory: folder.path, subjectNames: subjectNames)
    }

    /// Made at first use; tests must not change its files.
    static let shared = Result { try TestCertificates() }

    func serverContext(keyLog: String? = nil) throws -> TLSContext {
        try TLSContext(
            serverCertificate: store.serverCertificateFile, key: store.serverKeyFile,
            clientAuthorities: store.clientAuthorityFiles, trustHint: store.trustHint,
            nameHint: store.nameHint, keyLog: keyLog)
    }

    func clientContext(
        alpn: [String] = ["h2"], minimum: TLSVersion = .tls12, maximum: TLSVersion = .tls13
    ) throws -> TLSContext {
        try TLSContext(clientTrusting: store.authorityFile, alpn: alpn, minimum: minimum, maximum: maximum)
    }

    /// A client's context with a certificate of this request, signed by this folder's CA.
    func clientContext(
        with identity: ClientIdentity, in folder: TemporaryFolder, maximum: TLSVersion = .tls13
    ) throws -> TLSContext {
        let name = UUID().uuidString
        return try TLSContext(
            clientTrusting: store.authorityFile,
            certificate: folder.write(identity.certificatePEM, to: name + ".pem"),
            key: folder.write(identity.keyPEM, to: name + ".key"), maximum: maximum)
    }
}
