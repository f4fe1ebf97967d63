import Foundation
import Testing

@testable import TLS

@Suite struct SmallPartsTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `digests are those of FIPS 180-4`(text: String, digest: String) {
        #expect(Hexadecimal.text(SHA256.digest(Array(text.utf8))) == digest)
    }

    @Test func `random bytes are as many as asked for and differ`() {
        #expect(SecureRandom.bytes(0) == [])
        #expect(SecureRandom.bytes(13).count == 13)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }

    @Test(arguments: [
        0, 1, -1, 86_399, 86_400, 951_782_400, 951_868_800, 4_107_542_400, 253_402_300_799, -12_000_000_000,
    ])
    func `days are those of the calendar`(seconds: Int64) {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .iso8601)
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd"
        let expected = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
        let text = CalendarDay.text(seconds)
        #expect(String(repeating: "0", count: 10 - text.count) + text == expected)
    }

    @Test(arguments: [
        ("Localhost", "localhost"), ("a.b.test.", "a.b.test"), ("*.A.test", "*.a.test"), ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"), ("FD00:0::1", "fd00::1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("my_host", "my_host"),
        ("3f2a9c", "3f2a9c"), ("xn--bcher-kva.test", "xn--bcher-kva.test"),
    ])
    func `names are read as people write them`(text: String, name: String) {
        #expect(SubjectName(text)?.text == name)
    }

    @Test(arguments: [
        "", ".", "a..b", "a.*", "*", "*.*.a", "b*.a", "-a", "a-", "a b", "a/b", "a:1", "a,DNS:b", "ü.test", "1.2.3.4.5",
        "256.1.1.1", "a\n", String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
    ])
    func `what is no name is none`(text: String) {
        #expect(SubjectName(text) == nil)
    }

    @Test func `the longest name and label are names`() {
        let label = String(repeating: "a", count: SubjectName.maximumLabelBytes)
        #expect(SubjectName(label) != nil)
        let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(name.utf8.count == SubjectName.maximumHostBytes)
        #expect(SubjectName(name) != nil)
        #expect(SubjectName("c" + name) == nil)
    }

    @Test func `the standard names are all names`() {
        #expect(SubjectName.standard.count == 13)
    }

    @Test func `DER lengths are written in their shortest form and read back`() {
        for count in [0, 1, 127, 128, 255, 256, 65_535, 65_536] {
            let content = [UInt8](repeating: 7, count: count)
            var reader = DERReader(DERWriter.element(DERTag.sequence, content)[...])
            #expect(reader.read(DERTag.sequence).map(Array.init) == content)
            #expect(reader.isAtEnd)
        }
    }

    @Test func `a key log has the secrets and is its owner's`() throws {
        let certificates = try TestCertificates.shared.get()
        let folder = try TemporaryFolder()
        let path = folder.path(of: "keys.log")
        let server = try certificates.serverContext(keyLog: path)
        for version in [TLSVersion.tls12, .tls13] {
            let client = try certificates.clientContext(minimum: version, maximum: version)
            #expect(try Handshake(server: server, client: client).run().server == .done)
        }
        let text = try folder.text(of: "keys.log")
        let labels = text.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(labels.first == "CLIENT_RANDOM")
        #expect(labels.contains("SERVER_TRAFFIC_SECRET_0"))
        #expect(try folder.mode(of: "keys.log") == 0o600)
        let error = #expect(throws: TLSError.self) { try certificates.serverContext(keyLog: "/none/keys.log") }
        #expect(error?.description.contains("/none/keys.log: cannot write the key log") ?? false)
    }

    @Test func `contexts name the file that is wrong`() throws {
        let certificates = try TestCertificates.shared.get()
        let store = certificates.store
        let folder = try TemporaryFolder()
        let text = try folder.write("text", to: "text.pem")
        for (certificate, key, authority, words) in [
            ("/none.pem", store.serverKeyFile, nil, "/none.pem: there is no such file"),
            (text, store.serverKeyFile, nil, "text.pem: expected a PEM certificate"),
            (store.serverCertificateFile, text, nil, "text.pem: expected a PEM private key"),
            (
                store.serverCertificateFile, store.clientKeyFile, nil,
                "client.key: this key does not belong to the certificate"
            ),
            (store.serverCertificateFile, store.serverKeyFile, text, "text.pem: expected a PEM certificate"),
        ] as [(String, String, String?, String)] {
            let error = #expect(throws: TLSError.self) {
                try TLSContext(
                    serverCertificate: certificate, key: key, clientAuthorities: authority.map { [$0] } ?? [])
            }
            #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 256)]) func `ALPN names have 1 to 255 bytes`(name: String) {
        #expect(throws: TLSError.self) { try TLSContext(clientTrusting: nil, alpn: [name]) }
    }
}
