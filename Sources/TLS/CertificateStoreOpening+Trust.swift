import COpenSSL

/// What a sender's refusal of our certificate may be about, from what this folder's CA is like.
extension CertificateStoreOpening {
    /// Tells of a CA that an earlier version made; such a folder goes on serving as it did. Returns whether it is one.
    func warnAboutEarlierVersion(_ authority: CertificateHandle) -> Bool {
        guard authority.isOfEarlierVersion else {
            if constraints != .off, authority.constraints != constraints {
                warn(
                    "--ca-constraints \(constraints.rawValue): the CA in \(folder.path(of: Name.authority)) was made without; "
                        + "delete it and \(folder.path(of: Name.server)) to get one with, which senders must then trust"
                )
            }
            return false
        }
        warn("\(folder.path(of: Name.authority)): was made by an earlier version. \(refusedConstraints(authority))")
        return true
    }

    /// How a client comes to trust the server.
    func trustHint(_ serving: Serving) -> String {
        let authority = serving.authority
        let file = folder.path(of: Name.authority)
        guard serving.certificate.isSigned(by: authority) || serving.certificate.fingerprint == authority.fingerprint
        else {
            return
                "Give it the CA that signed \(folder.path(of: Name.server)), \(serving.certificate.issuer), and put that CA's "
                + "certificate into \(file) too, which senders are told to trust"
        }
        let fingerprint = Hexadecimal.text(authority.fingerprint.prefix(8))
        let first =
            "Give it the CA, \(file), or /v1/ca.pem of the admin address. If it has a ca.pem already, that may be another "
            + "folder's or an earlier one (the SHA-256 of this one begins \(fingerprint)), or its library reads another option"
        guard authority.constraints != .off else { return first }
        return "\(first). \(refusedConstraints(authority))"
    }

    /// How a further name gets into the certificate; the first `NAME` stands for it.
    func nameHint(_ serving: Serving) -> String {
        switch serving.origin {
        case .ownKey: return "add --san NAME"
        case .made:
            return "add --san NAME, which needs a new CA, as this one's key was not kept: stop the server, delete "
                + "\(folder.path(of: Name.authority)) and \(folder.path(of: Name.server)), start it with the name, and give senders "
                + "the new \(folder.path(of: Name.authority))"
        case .foreign:
            return "have one for NAME signed too by the CA of \(folder.path(of: Name.server)), and put it there"
        }
    }

    /// Who refuses name constraints, and what to do about it.
    private func refusedConstraints(_ authority: CertificateHandle) -> String {
        let who =
            authority.constraints == .all
            ? "It has name constraints with IP addresses, which BoringSSL (SwiftNIO, APNSwift, gRPC) and some versions of rustls "
                + "refuse even when they are given the CA"
            : "It has name constraints, which some versions of rustls refuse even when they are given the CA"
        let isOurs = authority.subject.contains(CertificateAuthority.commonName)
        guard isOurs else { return "\(who): for such senders put the certificates of another CA into \(folder.path)" }
        let flag = authority.isOfEarlierVersion ? "" : "without --ca-constraints "
        return
            "\(who): for such senders stop the server, delete \(filesToDelete(authority)), start it again \(flag)and give "
            + "senders the new \(folder.path(of: Name.authority))"
    }

    /// What must go, so that the next start makes all that belongs together.
    private func filesToDelete(_ authority: CertificateHandle) -> String {
        var names = [Name.authority, Name.server]
        if authority.isOfEarlierVersion { names += [Name.authorityKey, Name.client, Name.clientKey] }
        let paths = names.map(folder.path(of:))
        return paths.dropLast().joined(separator: ", ") + " and " + (paths.last ?? "")
    }
}
