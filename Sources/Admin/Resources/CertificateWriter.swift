import APNs
import JSON
import Simulation
import TLS

/// How answers show a client certificate.
enum CertificateWriter {
    /// The certificate as an object; with its PEM texts for whoever has just ordered it.
    static func write(
        _ record: CertificateRegistry.Record, _ identity: ClientIdentity? = nil,
        to writer: inout JSONWriter
    ) {
        let certificate = record.certificate
        writer.beginObject()
        writer.key("serial")
        writer.string(certificate.serial)
        writer.key("subject")
        writer.string(certificate.subject)
        writer.key("topic")
        writer.string(certificate.userID)
        writer.key("topics")
        writer.beginArray()
        for topic in certificate.listing {
            writer.beginObject()
            writer.key("name")
            writer.string(topic.name)
            writer.key("kinds")
            writer.beginArray()
            for kind in topic.kinds { writer.string(kind) }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.key("environments")
        writer.beginArray()
        for environment in environments(certificate) { writer.string(environment.rawValue) }
        writer.endArray()
        writer.key("notBefore")
        writer.time(millisecondsSince1970: milliseconds(certificate.notBefore))
        writer.key("notAfter")
        writer.time(millisecondsSince1970: milliseconds(certificate.notAfter))
        writer.key("fingerprint")
        writer.string(certificate.fingerprint)
        writer.key("revoked")
        writer.boolean(record.isRevoked)
        if let identity {
            writer.key("certificate")
            writer.string(identity.certificatePEM)
            writer.key("key")
            writer.string(identity.keyPEM)
        }
        writer.endObject()
    }

    /// The certificate in a line for people.
    static func line(_ record: CertificateRegistry.Record) -> String {
        let certificate = record.certificate
        var end = JSONWriter()
        end.time(millisecondsSince1970: milliseconds(certificate.notAfter))
        let until = String(decoding: end.bytes, as: UTF8.self).filter { $0 != "\"" }.prefix(10)
        var words = [certificate.serial, environments(certificate).map(\.rawValue).joined(separator: ",")]
        words.append(certificate.topics.joined(separator: ","))
        words.append("until \(until)")
        if record.isRevoked { words.append("REVOKED") }
        return words.joined(separator: "  ")
    }

    /// A certificate may say any time; what no calendar shows is shown as the nearest that one does.
    private static func milliseconds(_ seconds: Int64) -> Int64 {
        min(max(seconds, ClockSetting.range.lowerBound / 1000), ClockSetting.range.upperBound / 1000) * 1000
    }

    /// Where the certificate is good; one without marks is good in both.
    private static func environments(_ certificate: PeerCertificate) -> [Environment] {
        guard certificate.isDevelopment || certificate.isProduction else { return Environment.allCases }
        return (certificate.isDevelopment ? [.sandbox] : []) + (certificate.isProduction ? [.production] : [])
    }
}
