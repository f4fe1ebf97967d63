import Foundation
import Testing

@testable import TLS

@Suite struct TrustStoreFileTests {
    private let folder: TemporaryFolder
    private let authority: ClientAuthority

    init() throws {
        folder = try TemporaryFolder()
        authority = try ClientAuthority.stranger()
    }

    private func store(_ pem: String) throws -> String {
        let file = folder.path(of: "ca.p12")
        let bytes = try TrustStoreFile.pkcs12(pem: pem, source: "ca.pem", password: "mock-apns")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    @Test func `openssl finds the certificates and no key`() throws {
        let other = try ClientAuthority.stranger()
        let file = try store(authority.certificatePEM + other.certificatePEM)
        let text = try Command.run("openssl", "pkcs12", "-legacy", "-in", file, "-nodes", "-passin", "pass:mock-apns")
        #expect(text.contains(authority.certificatePEM))
        #expect(text.contains(other.certificatePEM))
        #expect(text.contains("friendlyName: mock-apns-2"))
        #expect(!text.contains("PRIVATE KEY"))
        #expect(throws: Command.Failure.self) {
            try Command.run("openssl", "pkcs12", "-legacy", "-in", file, "-nodes", "-passin", "pass:wrong")
        }
    }

    @Test(.enabled(if: Command.exists("keytool"))) func `Java takes it for a trust store`() throws {
        let file = try store(authority.certificatePEM)
        let text = try Command.run("keytool", "-list", "-keystore", file, "-storepass", "mock-apns")
        #expect(text.contains("mock-apns") && text.contains("trustedCertEntry"), "\(text)")
    }

    @Test func `text without a certificate is refused`() {
        #expect(throws: TLSError.self) {
            try TrustStoreFile.pkcs12(pem: "nothing", source: "ca.pem", password: "x")
        }
    }
}
