import COpenSSL

/// Reading the parts of a certificate.
extension CertificateHandle {
    /// Texts of a subject are cut after so many bytes.
    static let maximumTextBytes = 1024

    /// The serial number, hexadecimal.
    var serial: String {
        guard let serial = unsafe X509_get0_serialNumber(pointer),
            let number = unsafe ASN1_INTEGER_to_BN(serial, nil)
        else { return "" }
        defer { unsafe BN_free(number) }
        guard let text = unsafe BN_bn2hex(number) else { return "" }
        defer { unsafe COpenSSL_free(text) }
        return unsafe String(cString: text)
    }

    /// The first attribute of this kind in the subject.
    func subjectText(_ attribute: Int32) -> String? {
        guard let name = unsafe X509_get_subject_name(pointer) else { return nil }
        let index = unsafe X509_NAME_get_index_by_NID(name, attribute, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index),
            let data = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&start, data)
        guard count > 0, let start = unsafe start else { return nil }
        defer { unsafe COpenSSL_free(start) }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: min(Int(count), Self.maximumTextBytes))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// The value of the extension with this number, as its octets stand.
    func extensionValue(_ number: String) -> [UInt8]? {
        guard let object = unsafe OBJ_txt2obj(number, 1) else { return nil }
        defer { unsafe ASN1_OBJECT_free(object) }
        let index = unsafe X509_get_ext_by_OBJ(pointer, object, -1)
        guard index >= 0, let found = unsafe X509_get_ext(pointer, index),
            let value = unsafe X509_EXTENSION_get_data(found)
        else { return nil }
        return unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value))))
    }
}
