extension CertificateStoreOpening {
    /// Reads the server's certificate, or makes it, or renews it. The key stays the same over renewals: replacing the one file
    /// cannot leave a pair that does not fit.
    func openServer(_ authority: Authority) throws(TLSError) -> CertificateHandle {
        let current = try readServer()
        guard let signer = authority.signer else { return try serveWithout(signer: authority.certificate, current) }
        if let current, !isOurs(current), !current.isSigned(by: authority.certificate) {
            try judge(foreign: current)
            return current
        }
        let names = try wantedNames(authority.certificate)
        let hadKey = try folder.read(Name.serverKey) != nil
        let key = try readOrMakeKey(Name.serverKey, "the key of the server")
        if hadKey, let current, reasonToRenew(current, key, authority.certificate, names) == nil { return current }
        let issued = try signer.issueServerCertificate(for: key, names: merged(names, current, authority), now: now)
        let text = try issued.pem() + signer.certificatePEM
        let source = folder.path(of: Name.server)
        guard let current else {
            if try folder.create(Name.server, text, .everybody) {
                tell("made \(source): the server's certificate, valid until \(CalendarDay.text(issued.notAfter))")
                return issued
            }
            guard let winner = try readServer() else { throw vanished(Name.server) }
            return winner
        }
        let reason = reasonToRenew(current, key, authority.certificate, names) ?? "its key was missing"
        try folder.replace(Name.server, text, .everybody)
        tell("renewed \(source), as \(reason); valid until \(CalendarDay.text(issued.notAfter))")
        return issued
    }

    private func readServer() throws(TLSError) -> CertificateHandle? {
        guard let (file, _) = try folder.read(Name.server) else { return nil }
        return try file.certificates()[0]
    }

    /// Why the certificate cannot stay; nil when it can.
    private func reasonToRenew(
        _ current: CertificateHandle, _ key: KeyHandle, _ authority: CertificateHandle, _ names: [SubjectName]
    ) -> String? {
        if !current.belongs(to: key) { return "it belonged to another key" }
        if !current.isSigned(by: authority) { return "it was signed by an earlier CA" }
        if endsSoon(current) { return "it ends on \(CalendarDay.text(current.notAfter))" }
        let present = Set(current.subjectNames)
        guard let missing = names.first(where: { !present.contains($0) }) else { return nil }
        return "\(missing.text) was not in it"
    }

    private func endsSoon(_ certificate: CertificateHandle) -> Bool {
        certificate.notAfter < now + CertificateStore.renewalDays * CertificateAuthority.secondsPerDay
    }

    /// The standard names, the machine's and those asked for. An own CA may permit fewer: only what people asked for must fit.
    private func wantedNames(_ authority: CertificateHandle) throws(TLSError) -> [SubjectName] {
        for name in requested where name.text.contains("_") {
            warn(
                "--san \(name.text): no host name by the rules, as it has an underscore; senders in Java or Rust refuse the "
                    + "whole certificate for it")
        }
        for name in requested where !authority.permits(name) {
            guard name != machine else {
                warn(
                    "\(folder.path(of: Name.authority)): was made on another machine and may not sign for this one's name, "
                        + "\(name.text); delete it and \(folder.path(of: Name.authorityKey)) if senders need the name")
                continue
            }
            throw TLSError(
                "--san \(name.text): the CA in \(folder.path(of: Name.authority)) was made without this name and may not sign "
                    + "for it; leave the name out, choose another folder with --certs, or delete "
                    + "\(folder.path(of: Name.authority)) and \(folder.path(of: Name.authorityKey)): the next start with "
                    + "--san \(name.text) makes a new CA, which senders must then trust")
        }
        let usual = (SubjectName.standard + (machine.map { [$0] } ?? [])).filter(authority.permits)
        return usual + requested.filter { !usual.contains($0) && $0 != machine }
    }

    /// Names of the present certificate stay, so that servers that share a folder do not take them from each other.
    private func merged(
        _ names: [SubjectName], _ current: CertificateHandle?, _ authority: Authority
    ) -> [SubjectName] {
        guard let current else { return names }
        return names + current.subjectNames.filter { !names.contains($0) && authority.certificate.permits($0) }
    }

    /// A certificate that another CA signed was put there by somebody: it is used as it is.
    private func judge(foreign current: CertificateHandle) throws(TLSError) {
        try requireKey(of: current)
        let source = folder.path(of: Name.server)
        warn("\(source): signed by \(current.issuer), not by the test CA; it is used as it is and never renewed here")
        warnAboutGaps(current, source)
    }

    /// Without ca.key nothing can be signed; what is there serves as long as it can.
    private func serveWithout(
        signer authority: CertificateHandle, _ current: CertificateHandle?
    ) throws(TLSError) -> CertificateHandle {
        let source = folder.path(of: Name.server)
        guard let current else {
            throw TLSError(
                "\(source): missing, and without \(folder.path(of: Name.authorityKey)) none can be signed; put ca.key there, "
                    + "put server.pem and server.key there, or delete \(folder.path(of: Name.authority)) to get a new CA"
            )
        }
        try requireKey(of: current)
        warnAboutGaps(current, source)
        return current
    }

    private func requireKey(of current: CertificateHandle) throws(TLSError) {
        let source = folder.path(of: Name.serverKey)
        guard let key = try readKey(Name.serverKey) else {
            throw TLSError("\(source): missing, while \(folder.path(of: Name.server)) is there; put its key there")
        }
        guard current.belongs(to: key) else {
            throw TLSError("\(source): this key is not that of \(folder.path(of: Name.server)); put the pair there")
        }
    }

    private func warnAboutGaps(_ current: CertificateHandle, _ source: String) {
        if endsSoon(current) {
            warn("\(source): ends on \(CalendarDay.text(current.notAfter)) and cannot be renewed without its CA's key")
        }
        let present = Set(current.subjectNames)
        let missing = requested.filter { !present.contains($0) }.map(\.text)
        guard !missing.isEmpty else { return }
        warn("\(source): lacks \(missing.joined(separator: ", ")) and cannot be renewed without its CA's key")
    }
}
