/// The folder of certificates and keys (`--certs`): reads what is there and makes what is missing.
package struct CertificateStore: Sendable {
    /// A sender's key found in the folder.
    package struct SenderKey: Sendable {
        /// The ten characters in the file's name.
        package var keyID: String
        /// The file's path.
        package var file: String
        /// What the file holds.
        package var key: ES256Key
    }

    /// Names of the files in the folder.
    enum Name {
        static let authority = "ca.pem"
        /// Of an own CA or of an earlier version; a CA that is made here has no key in the folder.
        static let authorityKey = "ca.key"
        static let server = "server.pem"
        static let serverKey = "server.key"
        static let clientAuthority = "client-ca.pem"
        static let clientAuthorityKey = "client-ca.key"
        static let client = "client.pem"
        static let clientKey = "client.key"
        static let clientPKCS12 = "client.p12"
        static let senderKeyPrefix = "AuthKey_"
        static let senderKeySuffix = ".p8"
    }

    /// The id of the sender's key that is made here.
    package static let builtInKeyID = "MOCK000001"
    /// The team that the built-in key belongs to.
    package static let builtInTeamID = "MOCKTEAM01"
    /// The bundle id in the client certificate that is made here.
    package static let exampleBundleID = "com.example.app"
    /// A server certificate that ends sooner than this is renewed where its CA's key is there, and warned of otherwise.
    package static let renewalDays: Int64 = 30

    /// The folder.
    package let directory: String
    /// ca.pem, which senders must trust.
    package let authorityFile: String
    /// server.pem: the server's certificate, then its CA's.
    package let serverCertificateFile: String
    /// server.key.
    package let serverKeyFile: String
    /// client.pem: the example of a client certificate.
    package let clientCertificateFile: String
    /// client.key.
    package let clientKeyFile: String
    /// client.p12, which holds both.
    package let clientPKCS12File: String
    /// The CAs that this server trusts client certificates of: client-ca.pem, and ca.pem in a folder of an earlier version.
    package let clientAuthorityFiles: [String]
    /// All keys `AuthKey_<KEYID>.p8`, by name.
    package let senderKeys: [SenderKey]
    /// What issues client certificates; nil when the folder has no client-ca.key.
    package let clientAuthority: ClientAuthority?
    /// The CA's certificate, which senders must trust.
    package let authorityPEM: String
    /// What to do when a sender does not trust the server's certificate, in a sentence for people.
    package let trustHint: String
    /// How a name gets into the server's certificate, in words for people; `NAME` stands for it.
    package let nameHint: String
    /// The names in the server's certificate.
    package let subjectNames: [String]
    /// What was made or renewed now, one line each for people.
    package let made: [String]
    /// What looks wrong but keeps nobody from serving, one line each for people.
    package let warnings: [String]

    /// Opens the folder: makes the CA with the server certificate for the standard names and `subjectNames`, a sender key and
    /// a client certificate where they are missing. Without `makesClientCertificate` its key, which takes a while, is made when a certificate is ordered.
    package static func open(
        directory: String, subjectNames: [String], constraints: NameConstraints = .off,
        makesClientCertificate: Bool = true
    ) throws(TLSError) -> CertificateStore {
        try open(
            directory: directory, subjectNames: subjectNames, constraints: constraints,
            makesClient: makesClientCertificate, now: SystemTime.now, machine: SubjectName.ofMachine())
    }

    /// The same with the time and the machine's name given.
    static func open(
        directory: String, subjectNames: [String], constraints: NameConstraints = .off, makesClient: Bool = true,
        now: Int64, machine: SubjectName?
    ) throws(TLSError) -> CertificateStore {
        let requested = try SubjectName.parse(subjectNames)
        let opening = CertificateStoreOpening(
            folder: try CertificateFolder(directory), now: now, requested: requested, machine: machine,
            constraints: constraints, makesClient: makesClient)
        return try opening.run()
    }
}
