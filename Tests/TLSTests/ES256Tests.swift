import Foundation
import Testing

@testable import TLS

@Suite struct ES256Tests {
    let message = Array("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJNT0NLVEVBTTAxIn0".utf8)

    @Test func `raw and DER signatures of a key verify by its public half`() throws {
        let key = try ES256PrivateKey()
        let raw = try key.sign(message)
        #expect(raw.count == 64)
        let der = try key.signDER(message)
        #expect(key.publicKey.verifies(signature: raw, of: message))
        #expect(key.publicKey.verifies(signature: der, of: message))
        #expect(key.publicKey.verifies(signature: ES256Signature.der(raw: raw), of: message))
        #expect(!key.publicKey.verifies(signature: raw, of: message + [0]))
        #expect(!key.publicKey.verifiesSHA512(signature: raw, of: message))
        #expect(try !ES256PrivateKey().publicKey.verifies(signature: raw, of: message))
    }

    @Test func `any changed bit is refused`() throws {
        let key = try ES256PrivateKey()
        for signature in [try key.sign(message), try key.signDER(message)] {
            for bit in stride(from: 0, to: signature.count * 8, by: 5) {
                var changed = signature
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(!key.publicKey.verifies(signature: changed, of: message), "bit \(bit)")
            }
        }
    }

    @Test(arguments: [0, 1, 2, 8, 63, 64, 65, 70, 72, 132, 1000])
    func `signatures of any length of zeros are refused`(count: Int) throws {
        let key = try ES256PrivateKey().publicKey
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(!key.verifies(signature: zeros, of: message))
        #expect(!key.verifiesSHA512(signature: zeros, of: message))
    }

    @Test func `random bytes are refused`() throws {
        var generator = SeededGenerator(seed: 0x5EED_E256)
        print("random signatures: seed \(generator.seed)")
        let key = try ES256PrivateKey().publicKey
        for round in 0..<1000 {
            var bytes = (0..<Int.random(in: 0...140, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if round % 2 == 0, bytes.count > 4 {
                bytes[0] = 0x30
                bytes[1] = UInt8(truncatingIfNeeded: bytes.count - 2)
                bytes[2] = 0x02
            }
            if key.verifies(signature: bytes, of: message) || key.verifiesSHA512(signature: bytes, of: message) {
                Issue.record("seed \(generator.seed), round \(round)")
            }
        }
    }

    @Test func `ES512 over a P-256 key verifies in all three forms`() throws {
        let folder = try TemporaryFolder()
        let key = try ES256PrivateKey()
        let keyFile = try folder.write(key.pem, to: "key.pem")
        let messageFile = try folder.write(String(decoding: message, as: UTF8.self), to: "message")
        let signatureFile = folder.path(of: "signature")
        try Command.run("openssl", "dgst", "-sha512", "-sign", keyFile, "-out", signatureFile, messageFile)
        let der = try Array(Data(contentsOf: URL(fileURLWithPath: signatureFile)))
        let raw = try #require(ES256Signature.raw(der: der))
        let padding = [UInt8](repeating: 0, count: 34)
        let long = padding + raw.prefix(32) + padding + raw.suffix(32)
        #expect(long.count == 132)
        for signature in [der, raw, long] {
            #expect(key.publicKey.verifiesSHA512(signature: signature, of: message))
            #expect(!key.publicKey.verifies(signature: signature, of: message))
        }
    }

    @Test func `openssl verifies what we sign`() throws {
        let folder = try TemporaryFolder()
        let key = try ES256PrivateKey()
        let publicFile = try folder.write(key.publicKey.pem(), to: "public.pem")
        let messageFile = try folder.write(String(decoding: message, as: UTF8.self), to: "message")
        let signatureFile = folder.path(of: "signature")
        try Data(ES256Signature.der(raw: key.sign(message))).write(to: URL(fileURLWithPath: signatureFile))
        let words = try Command.run(
            "openssl", "dgst", "-sha256", "-verify", publicFile, "-signature", signatureFile, messageFile)
        #expect(words.contains("Verified OK"))
    }

    @Test func `a small r or s still makes 64 bytes`() throws {
        var raw = [UInt8](repeating: 0, count: 64)
        raw[31] = 5
        raw[32] = 0x80
        let der = ES256Signature.der(raw: raw)
        #expect(der.prefix(5) == [0x30, 0x26, 0x02, 0x01, 0x05])
        #expect(ES256Signature.raw(der: der) == raw)
    }

    @Test func `a key survives its PEM, public, PKCS 8 and SEC 1`() throws {
        let key = try ES256PrivateKey()
        let signature = try key.sign(message)
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try ES256PublicKey(pem: key.pem).verifies(signature: signature, of: message))
        #expect(try ES256PublicKey(pem: key.publicKey.pem()).verifies(signature: signature, of: message))
        let again = try ES256PrivateKey(pem: key.pem)
        #expect(again.publicKey.verifies(signature: signature, of: message))
        let folder = try TemporaryFolder()
        let file = try folder.write(key.pem, to: "key.pem")
        let old = try Command.run("openssl", "ec", "-in", file)
        #expect(old.contains("BEGIN EC PRIVATE KEY"))
        #expect(try ES256PrivateKey(pem: old).publicKey.verifies(signature: signature, of: message))
        let windows = key.pem.replacing("\n", with: "\r\n")
        #expect(try ES256PrivateKey(pem: "\n" + windows).publicKey.verifies(signature: signature, of: message))
    }

    @Test(arguments: [
        (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "found P-384"),
        (["genpkey", "-algorithm", "ED25519"], "found ED25519"),
        (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"], "found RSA"),
        (
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes256", "-pass", "pass:x"],
            "encrypted"
        ),
        (["ecparam", "-name", "prime256v1"], "found EC PARAMETERS"),
    ])
    func `keys of other kinds are refused with what was found`(arguments: [String], words: String) throws {
        let text = try Command.run("openssl", arguments: arguments)
        let error = #expect(throws: TLSError.self) { try ES256PrivateKey(pem: text, source: "fixtures/key.p8") }
        #expect(error?.description.hasPrefix("fixtures/key.p8: ") ?? false)
        #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("", "an empty file"), ("MIGHAgEA", "found a key without its BEGIN and END lines"),
        ("-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----\n", "damaged"),
        ("-----BEGIN PUBLIC KEY-----\nMIGHAgEA\n-----END PUBLIC KEY-----\n", "found PUBLIC KEY"),
        ("0\u{1}\u{2}", "binary DER"),
    ])
    func `what is no key is refused with what was found`(text: String, words: String) throws {
        let error = #expect(throws: TLSError.self) { try ES256PrivateKey(pem: text) }
        #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
    }

    @Test func `many threads verify with one key`() async throws {
        let key = try ES256PrivateKey()
        let signature = try key.sign(message)
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask { [message] in
                    key.publicKey.verifies(signature: signature, of: index % 2 == 0 ? message : message + [1])
                }
            }
            var good = 0
            for await isGood in group where isGood { good += 1 }
            #expect(good == 32)
        }
    }
}
