import COpenSSL

/// server.pem, server.key and ca.pem: what senders meet and must trust.
///
/// A CA that is made here signs one server certificate, and its key is gone when the start ends. So both are made together, and
/// server.pem, which holds both, comes first: whoever finds it without ca.pem, after a crash or because another process is a
/// step behind, takes ca.pem from it. Where ca.key is in the folder, of an own CA or of an earlier version, it signs as long as it is there.
extension CertificateStoreOpening {
    /// What serves.
    struct Serving {
        /// Who signed the certificate.
        enum Origin {
            /// A CA that is made with it, and whose key is gone.
            case made
            /// The CA whose key is in the folder.
            case ownKey
            /// Another CA.
            case foreign
        }

        let origin: Origin
        /// What senders must trust.
        let authority: CertificateHandle
        let certificate: CertificateHandle
    }

    func openServer() throws(TLSError) -> Serving {
        let authority = try readAuthority()
        let chain = try readServer()
        if let authority, let key = try readKey(Name.authorityKey) {
            return try serve(signingWith: signer(authority, key), chain?.first)
        }
        guard let chain else {
            guard let authority, !isOurs(authority) else {
                return try makeBoth(becauseOf: authority == nil ? nil : "it was missing and its CA can sign no other")
            }
            throw TLSError(
                "\(folder.path(of: Name.server)): missing, and without \(folder.path(of: Name.authorityKey)) none can be "
                    + "signed; put ca.key there, put server.pem and server.key there, or delete "
                    + "\(folder.path(of: Name.authority)) to get a new CA")
        }
        return isOurs(chain[0]) ? try serve(own: chain, authority) : try serve(foreign: chain[0], authority)
    }

    // MARK: Made here

    private func serve(own chain: [CertificateHandle], _ authority: CertificateHandle?) throws(TLSError) -> Serving {
        if let reason = try reasonToMakeAnew(chain, authority) { return try makeBoth(becauseOf: reason) }
        let (current, own) = (chain[0], chain[1])
        try requireKey(of: current)
        try requireNames(in: current)
        try write(authority: own, inPlaceOf: authority)
        warnAboutEnd(current, remedy: "the first start after that makes a new CA, which senders must then trust")
        return Serving(origin: .made, authority: own, certificate: current)
    }

    /// Why a pair made here cannot serve; nil when it can.
    private func reasonToMakeAnew(
        _ chain: [CertificateHandle], _ authority: CertificateHandle?
    ) throws(TLSError) -> String? {
        guard chain.count > 1, chain[0].isSigned(by: chain[1]) else { return "its CA was missing" }
        let end = min(chain[0].notAfter, chain[1].notAfter)
        if end <= now { return "it ended on \(CalendarDay.text(end))" }
        if authority == nil, chain[1].isOfEarlierVersion { return "it was signed by a CA of an earlier version" }
        return try folder.read(Name.serverKey) == nil ? "its key was missing" : nil
    }

    /// A new CA and the one certificate that it signs, in the place of those that cannot serve.
    private func makeBoth(becauseOf reason: String?) throws(TLSError) -> Serving {
        let key = try readOrMakeKey(Name.serverKey, "the key of the server", KeyHandle.generateP256)
        let names = SubjectName.standard + (machine.map { [$0] } ?? []) + requested
        warnAboutUnderscores()
        let authority = try CertificateAuthority.forServer(names: names, constraints: constraints, now: now)
        let issued = try authority.issueServerCertificate(for: key, names: unique(names), now: now)
        let text = try issued.pem() + authority.certificatePEM
        let source = folder.path(of: Name.server)
        let end = CalendarDay.text(issued.notAfter)
        if let reason {
            try folder.replace(Name.server, text, .everybody)
            tell("made \(source) anew, with a new CA, as \(reason); valid until \(end)")
        } else if try folder.create(Name.server, text, .everybody) {
            tell("made \(source): the server's certificate, valid until \(end)")
        }
        // Another process may have been faster; its pair counts.
        guard let chain = try readServer(), chain.count > 1 else { throw vanished(Name.server) }
        try write(authority: chain[1], inPlaceOf: readAuthority())
        return Serving(origin: .made, authority: chain[1], certificate: chain[0])
    }

    /// ca.pem is the CA of the certificate that serves.
    private func write(
        authority: CertificateHandle, inPlaceOf current: CertificateHandle?
    ) throws(TLSError) {
        let source = folder.path(of: Name.authority)
        guard let current else {
            if try folder.create(Name.authority, authority.pem(), .everybody) {
                tell("made \(source): the test CA, which senders must trust")
            }
            return
        }
        guard current.fingerprint != authority.fingerprint else { return }
        guard isOurs(current) else {
            throw TLSError(
                "\(source): is not the CA of \(folder.path(of: Name.server)); put the certificate and the key that this CA has "
                    + "signed into \(Name.server) and \(Name.serverKey), or delete \(source) to go back to the test CA")
        }
        try folder.replace(Name.authority, authority.pem(), .everybody)
        tell("made \(source) anew: the test CA, which senders must trust from now on")
    }

    /// What people asked for must be in it: a name that is missing needs a new CA.
    private func requireNames(in current: CertificateHandle) throws(TLSError) {
        warnAboutUnderscores()
        for name in requested where !current.covers(name) {
            let files = "\(folder.path(of: Name.authority)) and \(folder.path(of: Name.server))"
            guard name != machine else {
                warn(
                    "\(folder.path(of: Name.server)): was made on another machine and lacks this one's name, \(name.text); "
                        + "delete \(files) if senders need the name, and give them the new CA")
                continue
            }
            throw TLSError(
                "--san \(name.text): the certificate in \(folder.path(of: Name.server)) was made without this name, and the CA "
                    + "that signed it has no key any more; leave the name out, choose another folder with --certs, or delete "
                    + "\(files): the next start with --san \(name.text) makes both anew, and senders must then trust the new CA"
            )
        }
    }

    // MARK: An own CA with its key, or an earlier version's

    /// The key stays the same over renewals: replacing the one file cannot leave a pair that does not fit.
    private func serve(
        signingWith signer: CertificateAuthority, _ current: CertificateHandle?
    ) throws(TLSError) -> Serving {
        let authority = signer.certificate
        if let current, !isOurs(current), !current.isSigned(by: authority) {
            return try serve(foreign: current, authority)
        }
        let names = try wantedNames(authority)
        let hadKey = try folder.read(Name.serverKey) != nil
        let key = try readOrMakeKey(Name.serverKey, "the key of the server", KeyHandle.generateP256)
        if hadKey, let current, reasonToRenew(current, key, authority, names) == nil {
            return Serving(origin: .ownKey, authority: authority, certificate: current)
        }
        let issued = try signer.issueServerCertificate(for: key, names: merged(names, current, authority), now: now)
        let text = try issued.pem() + signer.certificatePEM
        let source = folder.path(of: Name.server)
        guard let current else {
            if try folder.create(Name.server, text, .everybody) {
                tell("made \(source): the server's certificate, valid until \(CalendarDay.text(issued.notAfter))")
                return Serving(origin: .ownKey, authority: authority, certificate: issued)
            }
            guard let winner = try readServer() else { throw vanished(Name.server) }
            return Serving(origin: .ownKey, authority: authority, certificate: winner[0])
        }
        let reason = reasonToRenew(current, key, authority, names) ?? "its key was missing"
        try folder.replace(Name.server, text, .everybody)
        tell("renewed \(source), as \(reason); valid until \(CalendarDay.text(issued.notAfter))")
        return Serving(origin: .ownKey, authority: authority, certificate: issued)
    }

    /// Why the certificate cannot stay; nil when it can.
    private func reasonToRenew(
        _ current: CertificateHandle, _ key: KeyHandle, _ authority: CertificateHandle, _ names: [SubjectName]
    ) -> String? {
        if !current.belongs(to: key) { return "it belonged to another key" }
        if !current.isSigned(by: authority) { return "it was signed by an earlier CA" }
        if endsSoon(current) { return "it ends on \(CalendarDay.text(current.notAfter))" }
        guard let missing = names.first(where: { !current.covers($0) }) else { return nil }
        return "\(missing.text) was not in it"
    }

    /// The standard names, the machine's and those asked for. An own CA may permit fewer: only what people asked for must fit.
    private func wantedNames(_ authority: CertificateHandle) throws(TLSError) -> [SubjectName] {
        warnAboutUnderscores()
        for name in requested where name != machine && !authority.permits(name) {
            throw TLSError(
                "--san \(name.text): the CA in \(folder.path(of: Name.authority)) has name constraints that do not permit this "
                    + "name; leave the name out, choose another folder with --certs, or delete "
                    + "\(folder.path(of: Name.authority)) and \(folder.path(of: Name.authorityKey)): the next start with "
                    + "--san \(name.text) makes a new CA, which senders must then trust")
        }
        return unique(SubjectName.standard + (machine.map { [$0] } ?? []) + requested).filter(authority.permits)
    }

    /// Names of the present certificate stay, so that servers that share a folder do not take them from each other.
    private func merged(
        _ names: [SubjectName], _ current: CertificateHandle?, _ authority: CertificateHandle
    ) -> [SubjectName] {
        unique(names + (current?.subjectNames.filter(authority.permits) ?? []))
    }

    // MARK: Put there by somebody

    /// A certificate that another CA signed is used as it is.
    private func serve(foreign current: CertificateHandle, _ authority: CertificateHandle?) throws(TLSError) -> Serving
    {
        let source = folder.path(of: Name.server)
        guard let authority else {
            throw TLSError(
                "\(folder.path(of: Name.authority)): missing, while \(source) is another CA's certificate; "
                    + "put that CA's certificate there, or move \(source) away")
        }
        try requireKey(of: current)
        warnAboutUnderscores()
        if !current.isSigned(by: authority), current.fingerprint != authority.fingerprint {
            warn(
                "\(source): signed by \(current.issuer), and not by the CA in \(folder.path(of: Name.authority)), which senders "
                    + "are told to trust; put that CA's certificate there")
        }
        let remedy = "it is used as it is and never renewed here"
        warnAboutEnd(current, remedy: remedy)
        let missing = requested.filter { !current.covers($0) }.map(\.text)
        if !missing.isEmpty { warn("\(source): lacks \(missing.joined(separator: ", ")); \(remedy)") }
        return Serving(origin: .foreign, authority: authority, certificate: current)
    }

    // MARK: Reading and telling

    /// Whether a certificate is one of our test CA, or was signed by it, so that it may be made anew.
    private func isOurs(_ certificate: CertificateHandle) -> Bool {
        certificate.issuer.contains(CertificateAuthority.commonName)
    }

    private func readServer() throws(TLSError) -> [CertificateHandle]? {
        try folder.read(Name.server)?.file.certificates()
    }

    private func readAuthority() throws(TLSError) -> CertificateHandle? {
        guard let (file, _) = try folder.read(Name.authority) else { return nil }
        let certificate = try file.certificates()[0]
        guard unsafe X509_check_ca(certificate.pointer) > 0 else {
            throw TLSError(
                "\(file.source): expected the certificate of a CA, found one that may not sign (\(certificate.subject)); "
                    + "put the CA's certificate there")
        }
        return certificate
    }

    private func signer(_ certificate: CertificateHandle, _ key: KeyHandle) throws(TLSError) -> CertificateAuthority {
        let files = "\(folder.path(of: Name.authority)) and \(folder.path(of: Name.authorityKey))"
        guard certificate.belongs(to: key) else {
            throw TLSError(
                "\(folder.path(of: Name.authorityKey)): this key is not that of \(folder.path(of: Name.authority)); restore "
                    + "the pair, or delete both and let the next start make a new CA, which senders must then trust")
        }
        guard certificate.notAfter > now else {
            throw TLSError(
                "\(folder.path(of: Name.authority)): this CA has expired; delete \(files): the next start makes a new CA, which "
                    + "senders must then trust")
        }
        return try CertificateAuthority(certificate: certificate, key: key)
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

    private func endsSoon(_ certificate: CertificateHandle) -> Bool {
        certificate.notAfter < now + CertificateStore.renewalDays * CertificateAuthority.secondsPerDay
    }

    private func warnAboutEnd(_ current: CertificateHandle, remedy: String) {
        guard endsSoon(current) else { return }
        warn("\(folder.path(of: Name.server)): ends on \(CalendarDay.text(current.notAfter)); \(remedy)")
    }

    private func warnAboutUnderscores() {
        for name in requested where name.text.contains("_") {
            warn(
                "--san \(name.text): no host name by the rules, as it has an underscore; senders in Java or Rust refuse the "
                    + "whole certificate for it")
        }
    }

    private func unique(_ names: [SubjectName]) -> [SubjectName] {
        var seen: Set<SubjectName> = []
        return names.filter { seen.insert($0).inserted }
    }
}
