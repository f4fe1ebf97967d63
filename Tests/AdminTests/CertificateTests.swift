import APNs
import Foundation
import Locking
import Simulation
import TLS
import Testing

@testable import Admin

/// Client certificates through the API.
struct CertificateTests {
    private let harness: AdminHarness
    private let authority: ClientAuthority
    private var certificates: CertificateRegistry { harness.simulator.certificates }

    init() throws {
        authority = try ClientAuthority.stranger()
        harness = AdminHarness(authority: authority)
        _ = harness.send("/v1/clock", method: "PUT", json: #"{"freeze": "2026-01-01T00:00:00Z"}"#)
    }

    private func post(_ body: String) -> AdminResponse { harness.send("/v1/certs", method: "POST", json: body) }

    @Test func `a certificate is issued with its key`() throws {
        let response = post(#"{"topic": "com.acme.app"}"#)
        #expect(response.status == 201)
        #expect(response.string("topic") == "com.acme.app")
        #expect(response.string("notAfter") == "2027-02-02T00:00:00.000Z")
        #expect(response.object["environments"] as? [String] == ["sandbox", "production"])
        let read = try PeerCertificate(pem: response.string("certificate"))
        #expect(read.serial == response.string("serial"))
        #expect(read.listing.map(\.kinds) == [["app"], ["voip"], ["complication"]])
        #expect(response.string("key").hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(certificates.all.map(\.certificate.serial) == [read.serial])
        let list = harness.send("/v1/certs")
        #expect(list.items.map { $0["serial"] as? String } == [read.serial])
        #expect(!list.text.contains("BEGIN"))
        #expect(
            harness.send("/v1/certs", accept: "text/plain").text
                == "\(read.serial)  sandbox,production  com.acme.app,com.acme.app.voip,com.acme.app.complication  "
                + "until 2027-02-02\n")
    }

    @Test func `topics, kinds and environments are as ordered`() throws {
        let one = try PeerCertificate(pem: post(#"{"topic":"com.acme.app","kinds":"app"}"#).string("certificate"))
        #expect(one.topics == ["com.acme.app"])
        let two = post(#"{"topics":["com.acme.a","com.acme.a.voip"],"environments":["production"]}"#)
        let read = try PeerCertificate(pem: two.string("certificate"))
        #expect(read.userID == "com.acme.a")
        #expect(read.listing == [.init("com.acme.a", kinds: ["app"]), .init("com.acme.a.voip", kinds: ["voip"])])
        #expect(!read.isDevelopment && read.isProduction)
    }

    @Test func `bad certificates are made on purpose`() throws {
        let expired = post(#"{"validity":"-1d"}"#)
        #expect(expired.string("notAfter") == "2025-12-31T00:00:00.000Z")
        #expect(expired.string("notBefore") == "2025-12-30T00:00:00.000Z")
        let revoked = post(#"{"revoked":true}"#)
        #expect(revoked.object["revoked"] as? Bool == true)
        let read = try PeerCertificate(pem: revoked.string("certificate"))
        #expect(certificates.isRevoked(read))
        let strange = post(#"{"issuer":"stranger"}"#)
        #expect(strange.string("key") == expired.string("key"))
    }

    @Test func `one key is shared, unless another is ordered, and the certificate stands alone`() throws {
        let usual = post("{}")
        #expect(usual.string("certificate").components(separatedBy: "BEGIN CERTIFICATE").count == 2)
        #expect(post(#"{"key":"shared"}"#).string("key") == usual.string("key"))
        let rsa = post(#"{"key":"rsa"}"#).string("key")
        #expect(rsa != usual.string("key"))
        let ec = post(#"{"key":"ec"}"#).string("key")
        #expect(ec.utf8.count < 300 && rsa.utf8.count > 1600)
    }

    @Test(arguments: ["pass.com.acme.card", "com.apple.mgmt.External.1", "web.com.acme"])
    func `a certificate that is for no app lists its UID alone`(topic: String) throws {
        for body in [#"{"topic":"\#(topic)"}"#, #"{"topic":"\#(topic)","kinds":"app"}"#] {
            let read = try PeerCertificate(pem: post(body).string("certificate"))
            #expect(read.listing == [.init(topic, kinds: ["app"])])
            #expect(read.userID == topic)
        }
        let refused = post(#"{"topic":"\#(topic)","kinds":["voip"]}"#)
        #expect(refused.status == 400)
        #expect(refused.string("detail").contains("lists that topic alone"), "\(refused.text)")
    }

    @Test func `files are PEM or PKCS 12`() throws {
        let pem = post(#"{"format":"pem"}"#)
        #expect(pem.header("content-type") == "application/x-pem-file")
        #expect(pem.text.contains("BEGIN CERTIFICATE") && pem.text.contains("BEGIN PRIVATE KEY"))
        #expect(pem.header("mock-apns-serial") == certificates.all.last?.certificate.serial)
        let file = post(#"{"format":"p12","password":"x"}"#)
        #expect(file.header("content-type") == "application/x-pkcs12")
        #expect(file.body.first == 0x30)
    }

    @Test func `a certificate is revoked and taken back, and a reset forgets all`() throws {
        let certificate = try PeerCertificate(pem: post("{}").string("certificate"))
        let path = "/v1/certs/\(certificate.serial.lowercased())"
        #expect(
            harness.send(path, method: "PATCH", json: #"{"revoked":true}"#).object["revoked"] as? Bool == true)
        #expect(certificates.isRevoked(certificate))
        _ = harness.send("/v1/reset?keep=certs", method: "POST")
        #expect(certificates.isRevoked(certificate))
        #expect(harness.send(path, method: "PATCH", json: #"{"revoked":false}"#).status == 200)
        #expect(!certificates.isRevoked(certificate))
        _ = harness.send("/v1/reset", method: "POST")
        #expect(certificates.all.isEmpty)
        #expect(harness.send(path, method: "PATCH", json: #"{"revoked":true}"#).status == 404)
    }

    @Test(
        arguments: [
            (#"{"topic":""}"#, "bundle id"), (#"{"kinds":["watch"]}"#, "watch"),
            (#"{"validity":"tomorrow"}"#, "tomorrow"),
            (#"{"topics":["a"],"kinds":["app"]}"#, "one of them"), (#"{"format":"der"}"#, "der"),
            (#"{"issuer":"Apple"}"#, "Apple"), (#"{"key":"dsa"}"#, "dsa"), (#"{"revoked":"yes"}"#, "yes"),
            (#"{"valid":"1d"}"#, "not a member"),
        ] as [(String, String)])
    func `an order that cannot be is refused`(body: String, words: String) {
        let response = post(body)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
        #expect(certificates.all.isEmpty)
    }

    @Test func `a server without its CA's key says so`() {
        let response = AdminHarness().send("/v1/certs", method: "POST", json: "{}")
        #expect(response.status == 503)
        #expect(response.string("detail").contains("client-ca.key"))
    }

    @Test func `a certificate for one kind has that topic as its own`() throws {
        let voip = try PeerCertificate(
            pem: post(#"{"topic":"com.acme.app","kinds":["voip"]}"#).string("certificate"))
        #expect(voip.userID == "com.acme.app.voip")
        #expect(voip.listing == [.init("com.acme.app.voip", kinds: ["voip"])])
        #expect(voip.subject.contains("VoIP Services: com.acme.app"))
        let two = try PeerCertificate(
            pem: post(#"{"topic":"com.acme.app","kinds":["app","voip"]}"#).string("certificate"))
        #expect(two.topics == ["com.acme.app", "com.acme.app.voip"])
        #expect(two.userID == "com.acme.app")
    }

    @Test func `the CA is a trust store too`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(authority.certificatePEM.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(harness.send("/v1/ca.p12").status == 503)
        harness.server.value.withLock { $0.info.authorityFile = file.path }
        let response = harness.send("/v1/ca.p12?password=x")
        #expect(response.status == 200)
        #expect(response.header("content-type") == "application/x-pkcs12")
        #expect(response.body.first == 0x30)
    }

    @Test func `the registry takes so many certificates`() {
        let registry = CertificateRegistry([])
        for number in 0..<CertificateRegistry.limit {
            #expect(registry.add(PeerCertificate(subject: "", serial: String(number)), isRevoked: false))
        }
        #expect(!registry.add(PeerCertificate(subject: "", serial: "more"), isRevoked: true))
        #expect(registry.all.count == CertificateRegistry.limit)
        #expect(!registry.isRevoked(PeerCertificate(subject: "", serial: "more")))
    }
}
