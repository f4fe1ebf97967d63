import Foundation
import HTTP2
import TestSupport
import Testing

/// `certs` and `ca`: certificates for senders, and what they must trust.
struct CertificateCommandTests {
    private func openssl(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    @Test func `a certificate is issued, pushes, and is revoked`() throws {
        let server = try ServeProcess()
        let file = server.folder.file("push.pem")
        let made = try server.ask("certs", "new", "--topic", "com.acme.app", "--kind", "app", "-O", file)
        #expect(made.exitCode == 0, "\(made.errors)")
        let serial = try #require(made.output.split(whereSeparator: \.isWhitespace).last.map(String.init))
        #expect(made.output == "\(file): serial \(serial)\n")
        #expect(try server.ask("certs").output.contains("\(serial)  sandbox,production  com.acme.app  until "))
        var options = server.options
        options.certificate = file
        let client = try TestClient(server.address, options)
        let fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/3/device/" + TestServer.randomDevice()), ("apns-push-type", "alert"),
        ]
        #expect(try client.request(fields, #"{"aps":{"alert":"hi"}}"#).status == 200)
        #expect(try server.ask("last").output.contains("com.acme.app"))
        #expect(try server.ask("certs", "revoke", serial).output.contains("REVOKED"))
        #expect(try client.request(fields, #"{"aps":{"alert":"hi"}}"#).status == 403)
        #expect(throws: TestConnection.Failure.self) {
            _ = try TestClient(server.address, options).request(fields, #"{"aps":{"alert":"hi"}}"#)
        }
        #expect(try server.ask("certs", "revoke", "00").exitCode == 1)
    }

    @Test func `the kind of the key is chosen`() throws {
        let server = try ServeProcess()
        for (kind, words) in [("shared", "2048 bit"), ("rsa", "2048 bit"), ("ec", "256 bit")] {
            let file = server.folder.file(kind + ".pem")
            #expect(try server.ask("certs", "new", "--key", kind, "-O", file).exitCode == 0)
            #expect(try openssl("pkey", "-in", file, "-text", "-noout").contains(words), "\(kind)")
        }
        let shared = try String(contentsOfFile: server.folder.file("certs/client.key"), encoding: .utf8)
        #expect(try String(contentsOfFile: server.folder.file("shared.pem"), encoding: .utf8).contains(shared))
        #expect(try server.ask("certs", "new", "--key", "dsa").errors.contains("dsa"))
    }

    @Test func `files that other programs open`() throws {
        let server = try ServeProcess()
        let file = server.folder.file("push.p12")
        let made = try server.ask(
            "certs", "new", "--p12", "-O", file, "--password", "x", "--validity", "-1d", "--env", "production")
        #expect(made.exitCode == 0, "\(made.errors)")
        let text = try openssl("pkcs12", "-legacy", "-in", file, "-nodes", "-passin", "pass:x")
        #expect(text.contains("BEGIN PRIVATE KEY"))
        #expect(text.contains("Apple Push Services: com.example.app"))
        let store = server.folder.file("ca.p12")
        #expect(try server.ask("ca", "--p12", "-O", store).exitCode == 0)
        #expect(
            try openssl("pkcs12", "-legacy", "-in", store, "-nodes", "-passin", "pass:mock-apns").contains("TEST CA"))
        let plain = try server.ask("ca").output
        #expect(try server.ask("ca", "--pem").output == plain)
    }

    @Test(arguments: [
        (["certs", "new", "--p12"], "-O FILE"), (["certs", "revoke"], "serial number"),
        (["certs", "nwe"], "did you mean new?"), (["certs", "ls", "x"], "no further word"),
        (["ca", "--p12"], "-O FILE"), (["ca", "--p12", "--bundle"], "exclude each other"),
    ])
    func `a mistake names the fix`(arguments: [String], words: String) throws {
        let run = try Program.run(arguments: arguments)
        #expect(run.exitCode == 64, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
