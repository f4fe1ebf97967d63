import COpenSSL

/// One pass over the folder: each file is read, or made where it is missing, and what is worth telling is noted.
final class CertificateStoreOpening {
    typealias Name = CertificateStore.Name

    let folder: CertificateFolder
    let now: Int64
    /// The names asked for by people.
    let requested: [SubjectName]
    /// The machine's name, wanted where the CA permits it.
    let machine: SubjectName?

    private(set) var made: [String] = []
    private(set) var warnings: [String] = []

    init(folder: CertificateFolder, now: Int64, requested: [SubjectName], machine: SubjectName?) {
        self.folder = folder
        self.now = now
        self.requested = requested
        self.machine = machine
    }

    /// Goes through the folder in the order in which the files depend on each other.
    func run() throws(TLSError) -> CertificateStore {
        let authority = try openAuthority()
        let server = try openServer(authority)
        let names = folder.list()
        let senderKeys = try openSenderKeys(names)
        openClient(authority.signer)
        return CertificateStore(
            directory: folder.path, authorityFile: folder.path(of: Name.authority),
            serverCertificateFile: folder.path(of: Name.server), serverKeyFile: folder.path(of: Name.serverKey),
            clientCertificateFile: folder.path(of: Name.client), clientKeyFile: folder.path(of: Name.clientKey),
            senderKeys: senderKeys, authority: authority.signer, authorityPEM: try authority.certificate.pem(),
            subjectNames: server.subjectNames.map(\.text), made: made, warnings: warnings)
    }

    /// Notes what was made.
    func tell(_ line: String) { made.append(line) }
    /// Notes what looks wrong.
    func warn(_ line: String) { warnings.append(line) }

    /// A key of the folder, with a warning when others can read it.
    func readKey(_ name: String) throws(TLSError) -> KeyHandle? {
        guard let (file, mode) = try folder.read(name) else { return nil }
        warnIfOthersRead(file.source, mode)
        return try file.privateKey()
    }

    /// A key of the folder; made when it is missing.
    func readOrMakeKey(_ name: String, _ purpose: String) throws(TLSError) -> KeyHandle {
        if let key = try readKey(name) { return key }
        let key = try KeyHandle.generateP256()
        if try folder.create(name, key.privatePEM(), .ownerOnly) {
            tell("made \(folder.path(of: name)): \(purpose)")
            return key
        }
        // Another process was faster; its key counts.
        guard let key = try readKey(name) else { throw vanished(name) }
        return key
    }

    func vanished(_ name: String) -> TLSError {
        TLSError("\(folder.path(of: name)): the file vanished while it was in use; start again")
    }

    func warnIfOthersRead(_ source: String, _ mode: UInt32) {
        guard mode & 0o077 != 0 else { return }
        warn("\(source): others can read this key (mode \(String(mode, radix: 8))): chmod 600 \(source)")
    }
}
