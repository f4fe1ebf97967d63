import COpenSSL

/// The CA of client certificates and the example of one: client-ca.pem, client.pem, client.key and client.p12.
extension CertificateStoreOpening {
    /// The CA of client certificates.
    struct Clients {
        let authority: CertificateHandle
        /// Nil when the folder has no client-ca.key.
        let signer: CertificateAuthority?
    }

    /// Reads the CA, or makes one. The key comes first, so that a crash between the two leaves a key for which the next start
    /// makes the certificate.
    func openClientAuthority() throws(TLSError) -> Clients {
        let isThere = try folder.read(Name.clientAuthority) != nil
        guard !isThere else {
            guard let key = try readKey(Name.clientAuthorityKey) else {
                return Clients(authority: try readClientAuthority(), signer: nil)
            }
            return try clients(key)
        }
        let key = try readOrMakeKey(
            Name.clientAuthorityKey, "the key of the CA of client certificates", KeyHandle.generateP256)
        let authority = try CertificateAuthority.forClients(key: key, now: now)
        if try folder.create(Name.clientAuthority, authority.certificatePEM, .everybody) {
            tell("made \(folder.path(of: Name.clientAuthority)): the CA of client certificates, for this server alone")
        }
        return try clients(key)
    }

    private func clients(_ key: KeyHandle) throws(TLSError) -> Clients {
        let certificate = try readClientAuthority()
        guard certificate.belongs(to: key) else {
            throw TLSError(
                "\(folder.path(of: Name.clientAuthorityKey)): this key is not that of \(folder.path(of: Name.clientAuthority)); "
                    + "restore the pair, or delete both and let the next start make a new one")
        }
        return Clients(
            authority: certificate, signer: try CertificateAuthority(certificate: certificate, key: key))
    }

    private func readClientAuthority() throws(TLSError) -> CertificateHandle {
        guard let (file, _) = try folder.read(Name.clientAuthority) else { throw vanished(Name.clientAuthority) }
        return try file.certificates()[0]
    }

    /// The client certificate is a convenience: nothing about it keeps the server from starting. Returns the key that further
    /// ones share, where there is one. `earlier` is the CA of an earlier version, which has been warned about.
    func openClient(_ clients: Clients, earlier: CertificateHandle?) -> KeyHandle? {
        do throws(TLSError) {
            let key = try readKey(Name.clientKey)
            if let (file, _) = try folder.read(Name.client) {
                try check(file, key, clients.authority, earlier)
                return key.flatMap { $0.isRSA ? $0 : nil }
            }
            guard makesClient, let signer = clients.signer else { return key.flatMap { $0.isRSA ? $0 : nil } }
            return try makeClient(signer)
        } catch {
            warn("\(error.description); the server itself does not need it")
            return nil
        }
    }

    private func check(
        _ file: PEMFile, _ key: KeyHandle?, _ authority: CertificateHandle, _ earlier: CertificateHandle?
    ) throws(TLSError) {
        let chain = try file.certificates()
        let certificate = chain[0]
        let remedy =
            "delete \(file.source), \(folder.path(of: Name.clientKey)) and \(folder.path(of: Name.clientPKCS12)) to get new ones"
        guard let key, certificate.belongs(to: key) else {
            throw TLSError("\(folder.path(of: Name.clientKey)): not the key of \(file.source); \(remedy)")
        }
        if certificate.notAfter <= now { warn("\(file.source): has expired; \(remedy)") }
        if earlier == nil {
            if !certificate.isSigned(by: authority) {
                warn(
                    "\(file.source): signed by \(certificate.issuer), which this server trusts only when --client-ca names it; "
                        + remedy)
            } else if !key.isRSA {
                warn("\(folder.path(of: Name.clientKey)): no RSA key, and several senders read no other; \(remedy)")
            }
        }
        if try folder.read(Name.clientPKCS12) == nil { try write(ClientIdentity(certificate, key)) }
    }

    private func makeClient(_ signer: CertificateAuthority) throws(TLSError) -> KeyHandle {
        let key = try readOrMakeKey(
            Name.clientKey, "the key that client certificates share", KeyHandle.generateRSA)
        let notBefore = now - CertificateAuthority.backdatedSeconds
        let request = ClientCertificateRequest(
            userID: CertificateStore.exampleBundleID, notBefore: notBefore,
            notAfter: notBefore + CertificateAuthority.serverValidDays * CertificateAuthority.secondsPerDay)
        let issuer = ClientAuthority(authority: signer, sharedKey: SharedKey(key))
        let identity = try issuer.issue(request)
        if try folder.create(Name.client, identity.certificatePEM, .everybody) {
            tell(
                "made \(folder.path(of: Name.client)): a client certificate for \(CertificateStore.exampleBundleID), "
                    + "for senders that use no token")
            try write(identity)
        }
        return key
    }

    /// client.p12 holds what client.pem and client.key hold.
    private func write(_ identity: ClientIdentity) throws(TLSError) {
        try folder.replace(Name.clientPKCS12, identity.pkcs12(), .ownerOnly)
        tell(
            "made \(folder.path(of: Name.clientPKCS12)): client.pem and client.key in one file, password "
                + ClientIdentity.standardPassword)
    }
}
