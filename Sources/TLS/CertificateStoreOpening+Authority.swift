import COpenSSL

extension CertificateStoreOpening {
    /// The CA of the folder.
    struct Authority {
        let certificate: CertificateHandle
        /// Nil when the folder has no ca.key.
        let signer: CertificateAuthority?
    }

    /// Reads the CA, or makes one for the standard names and those asked for. The key comes first, so that a crash between the
    /// two leaves a key for which the next start makes the certificate.
    func openAuthority() throws(TLSError) -> Authority {
        if let certificate = try readAuthority() {
            guard let key = try readKey(Name.authorityKey) else {
                return Authority(certificate: certificate, signer: nil)
            }
            return try signer(certificate, key)
        }
        if let orphan = try folder.read(Name.server), try folder.read(Name.authorityKey) == nil,
            try !isOurs(orphan.file.certificates()[0])
        {
            throw TLSError(
                "\(folder.path(of: Name.authority)): missing, while \(orphan.file.source) is another CA's certificate; "
                    + "put that CA's certificate there, or move \(orphan.file.source) away")
        }
        let key = try readOrMakeKey(Name.authorityKey, "the key of the test CA")
        let names = SubjectName.standard + (machine.map { [$0] } ?? []) + requested
        let authority = try CertificateAuthority.make(key: key, names: names, now: now)
        if try folder.create(Name.authority, authority.certificatePEM, .everybody) {
            tell("made \(folder.path(of: Name.authority)): the test CA, which senders must trust")
            return Authority(certificate: authority.certificate, signer: authority)
        }
        guard let certificate = try readAuthority() else { throw vanished(Name.authority) }
        return try signer(certificate, key)
    }

    /// Whether a certificate names our test CA as its issuer, so that it may be renewed.
    func isOurs(_ certificate: CertificateHandle) -> Bool {
        certificate.issuer.contains(CertificateAuthority.commonName)
    }

    private func signer(_ certificate: CertificateHandle, _ key: KeyHandle) throws(TLSError) -> Authority {
        guard certificate.belongs(to: key) else {
            throw TLSError(
                "\(folder.path(of: Name.authorityKey)): this key is not that of \(folder.path(of: Name.authority)); restore "
                    + "the pair, or delete both and let the next start make a new CA, which senders must then trust")
        }
        let signer = try CertificateAuthority(certificate: certificate, key: key)
        return Authority(certificate: certificate, signer: signer)
    }

    private func readAuthority() throws(TLSError) -> CertificateHandle? {
        guard let (file, _) = try folder.read(Name.authority) else { return nil }
        let certificate = try file.certificates()[0]
        guard unsafe X509_check_ca(certificate.pointer) > 0 else {
            throw TLSError(
                "\(file.source): expected the certificate of a CA, found one that may not sign (\(certificate.subject)); "
                    + "put the CA's certificate there")
        }
        guard certificate.notAfter > now else {
            throw TLSError(
                "\(file.source): this CA has expired; delete \(file.source) and \(folder.path(of: Name.authorityKey)): the "
                    + "next start makes a new CA, which senders must then trust")
        }
        return certificate
    }
}
