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

    private static let nameConstraints = "2.5.29.30"

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
