import COpenSSL

/// The names of a server certificate.
extension CertificateHandle {
    /// Host names and addresses in the subject alternative name.
    var subjectNames: [SubjectName] {
        defer { COpenSSL_clearErrors() }
        guard let names = unsafe COpenSSL_subjectNames(pointer) else { return [] }
        defer { unsafe GENERAL_NAMES_free(names) }
        return unsafe (0..<COpenSSL_countNames(names)).compactMap { index in
            unsafe Self.subjectName(COpenSSL_name(names, index))
        }
    }

    /// Whether this authority may sign a certificate for the name.
    func permits(_ name: SubjectName) -> Bool {
        guard extensionValue(Self.nameConstraints) != nil else { return true }
        // OpenSSL's own judgement, on a certificate that has nothing but this name.
        guard let probe = unsafe X509_new() else { return false }
        let certificate = unsafe CertificateHandle(owning: probe)
        defer { COpenSSL_clearErrors() }
        guard let names = unsafe COpenSSL_makeExtension(pointer, probe, NID_subject_alt_name, name.extensionText) else {
            return false
        }
        defer { unsafe X509_EXTENSION_free(names) }
        guard unsafe X509_add_ext(probe, names, -1) == 1 else { return false }
        return unsafe COpenSSL_checkConstraints(pointer, certificate.pointer) == X509_V_OK
    }

    /// Whether the certificate holds for the name, be it by a wildcard.
    func covers(_ name: SubjectName) -> Bool {
        if subjectNames.contains(name) { return true }
        guard case .host(let host) = name, !host.hasPrefix("*") else { return false }
        defer { COpenSSL_clearErrors() }
        return unsafe X509_check_host(pointer, host, 0, 0, nil) == 1
    }

    /// What this authority's name constraints are about.
    var constraints: NameConstraints {
        guard let value = extensionValue(Self.nameConstraints) else { return .off }
        var outer = DERReader(value[...])
        var trees = DERReader(outer.read(DERTag.sequence) ?? [])
        while let (_, list) = trees.readAny() {
            var subtrees = DERReader(list)
            while let subtree = subtrees.read(DERTag.sequence) {
                if subtree.first == Self.addressTag { return .all }
            }
        }
        return .dns
    }

    private static let nameConstraints = "2.5.29.30"
    /// An iPAddress among the general names (RFC 5280, 4.2.1.6).
    private static let addressTag: UInt8 = 0x87

    /// Whether this is a CA that an earlier version made: one for servers and clients alike.
    var isOfEarlierVersion: Bool {
        guard subject.contains(CertificateAuthority.commonName) else { return false }
        // Without the extension every bit is set; the CAs made here always have it.
        return unsafe X509_get_extended_key_usage(pointer) & UInt32(XKU_SSL_CLIENT) != 0
    }

    private static func subjectName(_ name: UnsafeMutablePointer<GENERAL_NAME>?) -> SubjectName? {
        var kind: Int32 = 0
        guard let value = unsafe GENERAL_NAME_get0_value(name, &kind) else { return nil }
        guard kind == GEN_DNS || kind == GEN_IPADD else { return nil }
        let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
        let bytes = unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
        if kind == GEN_DNS { return SubjectName(String(decoding: bytes, as: UTF8.self)) }
        return bytes.count == 4 || bytes.count == 16 ? .address(IPAddress(bytes)) : nil
    }
}
