/// The folder of certificates and keys (`--certs`): reads what is there and makes what is missing.
package struct CertificateStore: Sendable {
    /// A sender's key found in the folder.
    package struct SenderKey: Sendable {
        package var keyID: String
        package var file: String
        package var key: ES256PrivateKey
    }

    /// The folder.
    package let directory: String
    package let authorityFile: String
    package let serverCertificateFile: String
    package let serverKeyFile: String
    package let senderKeys: [SenderKey]
    /// What was made or renewed now, one line each for people.
    package let made: [String]

    /// Opens the folder: makes the CA, the server certificate for the standard names and `subjectNames`, a sender key and a client
    /// certificate where they are missing, and renews a server certificate that ends within 30 days or lacks a name.
    package static func open(directory: String, subjectNames: [String]) throws(TLSError) -> CertificateStore {
        fatalError("contract")
    }
}
