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

    /// What a new CA is limited to.
    let constraints: NameConstraints
    /// Whether a client certificate is made when there is none.
    let makesClient: Bool

    private(set) var made: [String] = []
    private(set) var warnings: [String] = []

    init(
        folder: CertificateFolder, now: Int64, requested: [SubjectName], machine: SubjectName?,
        constraints: NameConstraints = .off, makesClient: Bool = true
    ) {
        self.folder = folder
        self.now = now
        self.requested = requested
        self.machine = machine
        self.constraints = constraints
        self.makesClient = makesClient
    }

    /// Goes through the folder in the order in which the files depend on each other.
    func run() throws(TLSError) -> CertificateStore {
        let serving = try openServer()
        let senderKeys = try openSenderKeys(folder.list())
        let isEarlier = warnAboutEarlierVersion(serving.authority)
        let clients = try openClientAuthority()
        let sharedKey = openClient(clients, earlier: isEarlier ? serving.authority : nil)
        let clientAuthority = clients.signer.map { ClientAuthority(authority: $0, sharedKey: SharedKey(sharedKey)) }
        return CertificateStore(
            directory: folder.path, authorityFile: folder.path(of: Name.authority),
            serverCertificateFile: folder.path(of: Name.server), serverKeyFile: folder.path(of: Name.serverKey),
            clientCertificateFile: folder.path(of: Name.client), clientKeyFile: folder.path(of: Name.clientKey),
            clientPKCS12File: folder.path(of: Name.clientPKCS12),
            clientAuthorityFiles: ([Name.clientAuthority] + (isEarlier ? [Name.authority] : [])).map(folder.path(of:)),
            senderKeys: senderKeys, clientAuthority: clientAuthority, authorityPEM: try serving.authority.pem(),
            trustHint: trustHint(serving), nameHint: nameHint(serving),
            subjectNames: serving.certificate.subjectNames.map(\.text), made: made,
            warnings: warnings)
    }

    // MARK: What people are told

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
    func readOrMakeKey(
        _ name: String, _ purpose: String, _ make: () throws(TLSError) -> KeyHandle
    ) throws(TLSError) -> KeyHandle {
        if let key = try readKey(name) { return key }
        let key = try make()
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
