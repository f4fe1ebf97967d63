extension CertificateStoreOpening {
    /// Characters of a key id.
    private static let keyIDLength = 10

    /// Reads every sender key; makes the built-in one when it is missing.
    func openSenderKeys(_ names: [String]) throws(TLSError) -> [CertificateStore.SenderKey] {
        var names = names
        let builtIn = Name.senderKeyPrefix + CertificateStore.builtInKeyID + Name.senderKeySuffix
        if !names.contains(builtIn) {
            let key = try ES256PrivateKey()
            if try folder.create(builtIn, key.pem, .ownerOnly) {
                tell(
                    "made \(folder.path(of: builtIn)): a sender's key, id \(CertificateStore.builtInKeyID), team "
                        + CertificateStore.builtInTeamID)
            }
            names.append(builtIn)
            names.sort()
        }
        var keys: [CertificateStore.SenderKey] = []
        for name in names {
            if let keyID = Self.keyID(in: name) {
                keys.append(try senderKey(keyID, name))
            } else if Self.looksLikeKey(name) {
                warn(
                    "\(folder.path(of: name)): not used; a sender's key is called AuthKey_<KEYID>.p8 with a key id of "
                        + "\(Self.keyIDLength) characters A-Z and 0-9")
            }
        }
        return keys
    }

    private func senderKey(_ keyID: String, _ name: String) throws(TLSError) -> CertificateStore.SenderKey {
        guard let (file, mode) = try folder.read(name) else { throw vanished(name) }
        let key = try ES256Key(file)
        if key.privateKey != nil { warnIfOthersRead(file.source, mode) }
        return CertificateStore.SenderKey(keyID: keyID, file: file.source, key: key)
    }

    private static func keyID(in name: String) -> String? {
        guard name.hasPrefix(Name.senderKeyPrefix), name.hasSuffix(Name.senderKeySuffix) else { return nil }
        let keyID = name.dropFirst(Name.senderKeyPrefix.count).dropLast(Name.senderKeySuffix.count)
        let isKeyID = keyID.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return keyID.utf8.count == keyIDLength && isKeyID ? String(keyID) : nil
    }

    private static func looksLikeKey(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasSuffix(Name.senderKeySuffix) || lower.hasPrefix(Name.senderKeyPrefix.lowercased())
    }
}
