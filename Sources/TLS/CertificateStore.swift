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
        static let authorityKey = "ca.key"
        static let server = "server.pem"
        static let serverKey = "server.key"
        static let client = "client.pem"
        static let clientKey = "client.key"
        static let senderKeyPrefix = "AuthKey_"
        static let senderKeySuffix = ".p8"
    }

    /// The id of the sender's key that is made here.
    package static let builtInKeyID = "MOCK000001"
    /// The team that the built-in key belongs to.
    package static let builtInTeamID = "MOCKTEAM01"
    /// The bundle id in the client certificate that is made here.
    package static let exampleBundleID = "com.example.app"
    /// A server certificate that ends sooner than this is renewed.
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
    /// All keys `AuthKey_<KEYID>.p8`, by name.
    package let senderKeys: [SenderKey]
    /// The CA that signs here; nil when the folder has its certificate only.
    package let authority: CertificateAuthority?
    /// The CA's certificate, which senders must trust.
    package let authorityPEM: String
    /// The names in the server's certificate.
    package let subjectNames: [String]
    /// What was made or renewed now, one line each for people.
    package let made: [String]
    /// What looks wrong but keeps nobody from serving, one line each for people.
    package let warnings: [String]

    /// Opens the folder: makes the CA, the server certificate for the standard names and `subjectNames`, a sender key and a client
    /// certificate where they are missing, and renews a server certificate that ends within 30 days or lacks a name.
    package static func open(directory: String, subjectNames: [String]) throws(TLSError) -> CertificateStore {
        try open(
            directory: directory, subjectNames: subjectNames, now: SystemTime.now, machine: SubjectName.ofMachine())
    }

    /// The same with the time and the machine's name given.
    static func open(
        directory: String, subjectNames: [String], now: Int64, machine: SubjectName?
    ) throws(TLSError) -> CertificateStore {
        let requested = try SubjectName.parse(subjectNames)
        let opening = CertificateStoreOpening(
            folder: try CertificateFolder(directory), now: now, requested: requested, machine: machine)
        return try opening.run()
    }
}
