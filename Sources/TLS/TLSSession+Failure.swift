import COpenSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// From OpenSSL's codes to a cause and a sentence for people.
extension TLSSession {
    /// The most telling thing comes first: bytes that are no TLS, then an alert of the peer, then our own refusal.
    func failure(_ errors: OpenSSLErrors, isEnd: Bool, systemError: Int32) -> TLSFailure {
        let detail = systemError > 0 ? SystemError.text(systemError) : errors.text
        let reason = errors.reason
        if isServer, clientHello == nil, let failure = PlainTextGuess(firstBytes)?.failure(detail) { return failure }
        if let refusal {
            return TLSFailure(cause: "client_certificate", detail: detail, explanation: refusal.explanation)
        }
        if isEnd { return endDuringHandshake(detail) }
        if let alert = TLSAlert(reason: reason) { return explain(alert, detail) }
        if !isServer { return refusalOfServer(reason, detail) }
        switch reason {
        case SSL_R_NO_APPLICATION_PROTOCOL:
            return TLSFailure(cause: "alpn", detail: detail, explanation: protocolExplanation)
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_WRONG_SSL_VERSION, SSL_R_WRONG_VERSION_NUMBER,
            SSL_R_VERSION_TOO_HIGH:
            return TLSFailure(cause: "protocol_version", detail: detail, explanation: versionExplanation)
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS,
            SSL_R_NO_SUITABLE_KEY_SHARE:
            return TLSFailure(
                cause: "cipher", detail: detail,
                explanation:
                    "No cipher suite, curve or signature in common: the server's key is EC P-256, so the client "
                    + "needs ECDHE with ECDSA; do not limit its ciphers to RSA")
        default:
            return TLSFailure(
                cause: "other", detail: detail,
                explanation: !isEstablished
                    ? "The TLS handshake failed; look at the detail and at the client's own log"
                    : "The peer broke the TLS protocol after the handshake; something between the two may change the bytes"
            )
        }
    }

    private var protocolExplanation: String {
        let offered = offeredALPN.joined(separator: ", ")
        return "No protocol in common: the client offered \(offered) only; APNs needs ALPN h2. "
            + "Use a client with HTTP/2, or switch HTTP/2 on in it"
    }

    private var versionExplanation: String {
        let offered = clientHello?.version.map { "TLS \($0.number)" } ?? "An unknown version of TLS"
        return "\(offered) offered; APNs needs 1.2 or later. Allow TLS 1.2 in the client"
    }

    private func endDuringHandshake(_ detail: String) -> TLSFailure {
        guard isServer else {
            return TLSFailure(
                cause: "closed", detail: detail,
                explanation: "The server closed the connection during the handshake; it may not speak TLS on this port")
        }
        guard clientHello != nil else {
            return TLSFailure(
                cause: "closed", detail: detail,
                explanation: "The peer closed before its first TLS message was complete; it may have timed out")
        }
        return TLSFailure(
            cause: "closed", detail: detail,
            explanation: nameProblem
                ?? "The peer closed during the handshake: it probably rejected our certificate. "
                + context.trustHint)
    }

    private func explain(_ alert: TLSAlert, _ detail: String) -> TLSFailure {
        guard isServer else {
            return TLSFailure(
                cause: alert.cause, detail: detail,
                explanation: "The server refused the handshake (alert \(alert.name))")
        }
        if alert.isAboutCertificate, let explanation = nameProblem {
            return TLSFailure(cause: "certificate_name", detail: detail, explanation: explanation)
        }
        let explanation =
            alert.explanation.isEmpty ? "The client ended the TLS session (alert \(alert.name))" : alert.explanation
        return TLSFailure(
            cause: alert.cause, detail: detail,
            explanation: alert.isAboutTrust ? "\(explanation). \(context.trustHint)" : explanation)
    }

    private func refusalOfServer(_ reason: Int32, _ detail: String) -> TLSFailure {
        guard reason == SSL_R_CERTIFICATE_VERIFY_FAILED else {
            let isPlain = reason == SSL_R_WRONG_VERSION_NUMBER
            return TLSFailure(
                cause: isPlain ? "not_tls" : "other", detail: detail,
                explanation: isPlain
                    ? "The server does not speak TLS on this port"
                    : "The TLS handshake failed; the server's log may say more")
        }
        let result = unsafe SSL_get_verify_result(ssl)
        let words = unsafe String(cString: X509_verify_cert_error_string(result))
        if result == X509_V_ERR_HOSTNAME_MISMATCH || result == X509_V_ERR_IP_ADDRESS_MISMATCH {
            return TLSFailure(
                cause: "certificate_name", detail: words,
                explanation:
                    "The server's certificate is not for this name; if it is mock-apns, start it with --san NAME, "
                    + "which may need a new CA")
        }
        let untrusted = result != X509_V_ERR_CERT_HAS_EXPIRED && result != X509_V_ERR_CERT_NOT_YET_VALID
        return TLSFailure(
            cause: untrusted ? "unknown_ca" : "bad_certificate", detail: words,
            explanation: untrusted
                ? "The server's certificate is not signed by the CA given here; give the server's own ca.pem"
                : "The server's certificate is not valid at this time; compare the clocks of both machines")
    }

    /// A sentence when the name or address by which the client came is not in our certificate. Some clients, curl among them,
    /// look at the name after a handshake that went well, and then leave without a word.
    package var nameProblem: String? {
        guard let certificate = unsafe SSL_get_certificate(ssl) else { return nil }
        defer { COpenSSL_clearErrors() }
        if let name = serverName, !name.isEmpty {
            let isAddress = unsafe X509_check_ip_asc(certificate, name, 0)
            guard isAddress != 1, unsafe X509_check_host(certificate, name, 0, 0, nil) == 0 else { return nil }
            return nameProblem(name)
        }
        guard let address = LocalAddress.text(of: descriptor), unsafe X509_check_ip_asc(certificate, address, 0) == 0
        else { return nil }
        return nameProblem(address)
    }

    private func nameProblem(_ name: String) -> String {
        "The client probably rejected our certificate because the name it asked for, \(name), is not in it: "
            + context.nameHint.replacing("NAME", with: name, maxReplacements: 1)
    }
}
