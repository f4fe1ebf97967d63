import Foundation
import Testing

@testable import TLS

@Suite struct PeerCertificateTests {
    static let seed: UInt64 = 0xCE27_1F1C_A7E5

    static func utf8(_ text: String) -> [UInt8] { DERWriter.utf8String(text) }

    @Test func `topics and kinds alternate`() {
        let value = DERWriter.element(
            DERTag.sequence,
            Self.utf8("com.example.app") + DERWriter.element(DERTag.sequence, Self.utf8("app") + Self.utf8("extra"))
                + Self.utf8("com.example.app.voip") + DERWriter.element(DERTag.sequence, Self.utf8("voip"))
                + Self.utf8("com.example.bare"))
        #expect(
            AppleExtension.readTopics(value) == [
                .init("com.example.app", kinds: ["app", "extra"]), .init("com.example.app.voip", kinds: ["voip"]),
                .init("com.example.bare"),
            ])
    }

    @Test func `VoIP topics stand bare or in a sequence`() {
        let strings = Self.utf8("com.example.voip") + Self.utf8("com.example.other")
        let expected: [PeerCertificate.Topic] = [
            .init("com.example.voip", kinds: ["voip"]), .init("com.example.other", kinds: ["voip"]),
        ]
        #expect(AppleExtension.readVoIPTopics(strings) == expected)
        #expect(AppleExtension.readVoIPTopics(DERWriter.element(DERTag.sequence, strings)) == expected)
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x05, 0x0C], [0x30, 0x80, 0x0C, 0x01, 0x61, 0, 0], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x83, 0xFF, 0xFF, 0xFF], [0x30, 0x81, 0x03, 0x0C, 0x01, 0x61],
            [0x30, 0x82, 0x00, 0x03, 0x0C, 0x01, 0x61],
            [0x30, 0x03, 0x1F, 0x01, 0x61], [0x30, 0x02, 0x30, 0x00], [0x30, 0x03, 0x0C, 0x01, 0xFF],
            [0x30, 0x02, 0x0C, 0x00],
            [0x04, 0x03, 0x0C, 0x01, 0x61],
        ] as [[UInt8]])
    func `values that are not well formed give no topics`(value: [UInt8]) {
        #expect(AppleExtension.readTopics(value) == [])
    }

    @Test func `what follows a broken element is left out`() {
        let value = DERWriter.element(DERTag.sequence, Self.utf8("good") + [0x0C, 0x20, 0x61])
        #expect(AppleExtension.readTopics(value).map(\.name) == ["good"])
    }

    @Test func `topics and kinds are limited`() {
        let kinds = (0...AppleExtension.maximumKinds).map { "kind\($0)" }
        let topics = (0...AppleExtension.maximumTopics).map { PeerCertificate.Topic("t\($0)", kinds: kinds) }
        let read = AppleExtension.readTopics(AppleExtension.value(topics))
        #expect(read.count == AppleExtension.maximumTopics)
        #expect(read.allSatisfy { $0.kinds.count == AppleExtension.maximumKinds })
        #expect(read.last?.name == "t255")
    }

    @Test func `random extension values never trap and stay within the limits`() {
        var generator = SeededGenerator(seed: Self.seed)
        var found = 0
        for _ in 0..<3000 {
            let value = Self.randomDER(&generator, depth: 0)
            for topics in [AppleExtension.readTopics(value), AppleExtension.readVoIPTopics(value)] {
                found += topics.count
                let isWithinLimits =
                    topics.count <= AppleExtension.maximumTopics
                    && topics.allSatisfy { $0.kinds.count <= AppleExtension.maximumKinds && !$0.name.isEmpty }
                if !isWithinLimits { Issue.record("seed \(Self.seed), value \(Hexadecimal.text(value))") }
            }
            _ = ES256Signature.raw(der: value)
        }
        print("random extension values: seed \(Self.seed), topics \(found)")
        #expect(found > 500)
    }

    @Test func `changed certificates never trap`() throws {
        var generator = SeededGenerator(seed: Self.seed)
        let pem = try TestCertificates.shared.get().folder.text(of: "client.pem")
        let base64 = try #require(pem.components(separatedBy: "-----")[safe: 2]).filter { !$0.isNewline }
        let der = try Array(#require(Data(base64Encoded: base64)))
        var readable = 0
        for _ in 0..<1000 {
            var changed = der
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let text =
                "-----BEGIN CERTIFICATE-----\n"
                + Data(changed).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
                + "\n-----END CERTIFICATE-----\n"
            guard let certificate = try? PeerCertificate(pem: text) else { continue }
            readable += 1
            if certificate.subject.utf8.contains(10) || certificate.fingerprint.count != 64 {
                Issue.record("seed \(Self.seed), certificate \(Hexadecimal.text(changed))")
            }
        }
        // Otherwise this test would show nothing.
        print("changed certificates: seed \(Self.seed), readable \(readable)")
        #expect(readable > 100)
    }

    @Test func `a subject is one line of limited length`() throws {
        let key = try KeyHandle.generateP256()
        let unit = String(repeating: "u", count: 50) + "\n\u{1B}[2J"
        let template = CertificateTemplate(
            subject: [(NID.userID, "com.example\nforged")] + (0..<40).map { _ in (NID.organizationalUnit, unit) },
            notBefore: 0, notAfter: 1, extensions: [])
        let certificate = try template.sign(for: key, issuer: nil, issuerKey: key)
        let read = PeerCertificate(certificate, verificationError: nil)
        #expect(!read.subject.utf8.contains { $0 < 0x20 })
        #expect(read.subject.utf8.count == CertificateHandle.maximumTextBytes)
        #expect(read.userID == "com.example\nforged")
    }

    @Test func `dates far away are read`() throws {
        let key = try KeyHandle.generateP256()
        let template = CertificateTemplate(
            subject: [], notBefore: -86_400, notAfter: 253_402_300_799, extensions: [])
        let read = PeerCertificate(try template.sign(for: key, issuer: nil, issuerKey: key), verificationError: nil)
        #expect(read.notBefore == -86_400)
        #expect(read.notAfter == 253_402_300_799)
        #expect(read.userID == nil)
        #expect(read.topics == [])
    }

    /// DER that is mostly well formed, with faults sprinkled in.
    private static func randomDER(_ generator: inout SeededGenerator, depth: Int) -> [UInt8] {
        let tags: [UInt8] = [0x30, 0x30, 0x0C, 0x0C, 0x16, 0x02, 0x05, .random(in: 0...255, using: &generator)]
        let tag = depth == 0 ? 0x30 : tags.randomElement(using: &generator) ?? 0x30
        var content: [UInt8] = []
        if tag == 0x30, depth < 3 {
            for _ in 0..<Int.random(in: 0...5, using: &generator) { content += randomDER(&generator, depth: depth + 1) }
        } else {
            content = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                .random(in: 0...127, using: &generator)
            }
        }
        var element = DERWriter.element(tag, content)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: element[Int.random(in: 0..<element.count, using: &generator)] = .random(in: 0...255, using: &generator)
        case 1: element.removeLast(Int.random(in: 0..<element.count, using: &generator))
        default: break
        }
        return element
    }
}

/// OpenSSL's numbers of attributes; only the TLS module imports its header.
enum NID {
    static let commonName: Int32 = 13
    static let organizationalUnit: Int32 = 18
    static let subjectKeyIdentifier: Int32 = 82
    static let basicConstraints: Int32 = 87
    static let extendedKeyUsage: Int32 = 126
    static let nameConstraints: Int32 = 666
    static let userID: Int32 = 458
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
