import COpenSSL

/// The bytes of a PEM file and where they came from, so that errors can name it.
struct PEMFile {
    let bytes: [UInt8]
    /// The file's path, or other words for people.
    let source: String

    /// All certificates in the file, in order; an error if there is none or one is broken.
    func certificates() throws(TLSError) -> [CertificateHandle] {
        try OpenSSLLibrary.prepare()
        let memory = try MemoryBIO(bytes)
        COpenSSL_clearErrors()
        var certificates: [CertificateHandle] = []
        while let certificate = unsafe PEM_read_bio_X509(memory.pointer, nil, refusePassword, nil) {
            unsafe certificates.append(CertificateHandle(owning: certificate))
        }
        let errors = OpenSSLErrors.collect()
        let reachedEnd = errors.codes.last.map { code in
            COpenSSL_library(code) == ERR_LIB_PEM && COpenSSL_reason(code) == PEM_R_NO_START_LINE
        }
        guard reachedEnd ?? false else {
            throw TLSError("\(source): a certificate in it is broken (\(errors.text)); restore the file or delete it")
        }
        guard !certificates.isEmpty else {
            throw TLSError("\(source): expected a PEM certificate (-----BEGIN CERTIFICATE-----), found \(found)")
        }
        return certificates
    }

    /// The private key in the file: PKCS #8 or SEC 1, not encrypted.
    func privateKey() throws(TLSError) -> KeyHandle {
        try OpenSSLLibrary.prepare()
        try refuseEncrypted()
        let memory = try MemoryBIO(bytes)
        COpenSSL_clearErrors()
        guard let key = unsafe PEM_read_bio_PrivateKey(memory.pointer, nil, refusePassword, nil) else {
            throw broken("a PEM private key (-----BEGIN PRIVATE KEY-----)", label: "PRIVATE KEY")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// The public key in the file, or the public half of the private one.
    func publicKey() throws(TLSError) -> KeyHandle {
        guard labels.contains("PUBLIC KEY") else { return try privateKey() }
        try OpenSSLLibrary.prepare()
        let memory = try MemoryBIO(bytes)
        COpenSSL_clearErrors()
        guard let key = unsafe PEM_read_bio_PUBKEY(memory.pointer, nil, refusePassword, nil) else {
            throw broken("a PEM public key (-----BEGIN PUBLIC KEY-----)", label: "PUBLIC KEY")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// Whether the file holds a public key only.
    var isPublicKey: Bool { labels.contains("PUBLIC KEY") && !labels.contains { $0.hasSuffix("PRIVATE KEY") } }

    private func refuseEncrypted() throws(TLSError) {
        let legacy = labels.contains { $0.hasSuffix("PRIVATE KEY") } && text.contains("Proc-Type: 4,ENCRYPTED")
        guard labels.contains("ENCRYPTED PRIVATE KEY") || legacy else { return }
        throw TLSError(
            "\(source): the private key is encrypted with a password, which nobody can type here; "
                + "decrypt it: openssl pkcs8 -in \(source) -out plain.p8")
    }

    private func broken(_ expected: String, label: String) -> TLSError {
        let errors = OpenSSLErrors.collect()
        if label == "PRIVATE KEY", let look = KeyTextGuess.of(text) {
            return TLSError("\(source): expected \(expected), found \(look.name); \(look.fix)")
        }
        guard labels.contains(where: { $0.hasSuffix(label) }) else {
            return TLSError("\(source): expected \(expected), found \(found)")
        }
        return TLSError(
            "\(source): the key between the BEGIN and END lines is damaged (\(errors.text)); copy the file again")
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The words of all BEGIN lines.
    private var labels: [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix("-----BEGIN "), let end = line.dropFirst(11).firstRange(of: "-----") else {
                return nil
            }
            return String(line.dropFirst(11)[..<end.lowerBound])
        }
    }

    /// What the file holds instead, for people.
    private var found: String {
        if bytes.isEmpty { return "an empty file" }
        let labels = labels
        if !labels.isEmpty { return "\(labels.joined(separator: ", "))" }
        if bytes[0] == 0x30 { return "binary DER; convert it with openssl ... -inform DER -outform PEM" }
        return "no PEM block (the file begins with 0x\(Hexadecimal.text(bytes.prefix(8))))"
    }
}

/// OpenSSL would ask for a password at the terminal; this answers that there is none.
private func refusePassword(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32, _ data: UnsafeMutableRawPointer?
) -> Int32 { -1 }

extension PEMFile {
    /// Reads a file that must be there.
    init(path: String) throws(TLSError) {
        switch FileBytes.read(path) {
        case .bytes(let bytes, _):
            self.init(bytes: bytes, source: path)
        case .missing:
            throw TLSError("\(path): there is no such file")
        case .failed(let words):
            throw TLSError("\(path): cannot be read: \(words)")
        }
    }
}
