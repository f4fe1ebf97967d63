/// A sender's key as its file holds it: the public half, and the private one when it is there.
package struct ES256Key: Sendable {
    /// What tokens are checked with.
    package let publicKey: ES256PublicKey
    /// What tokens can be signed with.
    package let privateKey: ES256PrivateKey?

    /// A key from PEM, private or public; `source` is the file's name for errors.
    package init(pem: String, source: String = "the key") throws(TLSError) {
        try self.init(PEMFile(bytes: Array(pem.utf8), source: source))
    }

    init(_ file: PEMFile) throws(TLSError) {
        guard !file.isPublicKey else {
            privateKey = nil
            publicKey = try ES256PublicKey(file)
            return
        }
        let key = try ES256PrivateKey(file)
        privateKey = key
        publicKey = key.publicKey
    }
}
