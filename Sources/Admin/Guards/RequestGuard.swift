/// The one gate that every request passes before it is routed; what it refuses has changed nothing.
package struct RequestGuard: Sendable {
    private let allowedHosts: [String]
    private let adminToken: String?
    private let corsOrigin: String?

    /// A gate as the server is configured.
    package init(_ environment: AdminEnvironment) {
        allowedHosts = environment.allowedHosts
        adminToken = environment.adminToken
        corsOrigin = environment.corsOrigin
    }

    /// Throws the refusal of a request that may not come in.
    package func check(_ request: AdminRequest, isProbe: Bool) throws(Problem) {
        try checkHost(request)
        try checkOrigin(request)
        if !isProbe, !isPreflight(request) { try checkToken(request) }
        try checkBody(request)
    }

    /// Whether a browser asks if the allowed origin may make a call.
    package func isPreflight(_ request: AdminRequest) -> Bool {
        request.method == AdminMethod.options.rawValue && request.header("access-control-request-method") != nil
            && isAllowedOrigin(request.header("origin"))
    }

    /// The fields that let a page of the allowed origin read the answer.
    package func crossOriginFields(_ request: AdminRequest) -> [(name: String, value: String)] {
        guard corsOrigin != nil else { return [] }
        guard let origin = request.header("origin"), isAllowedOrigin(origin) else { return [("vary", "Origin")] }
        var fields = [
            ("access-control-allow-origin", origin), ("vary", "Origin"),
            ("access-control-expose-headers", "mock-apns-cursor, mock-apns-instance"),
        ]
        if isPreflight(request) {
            fields.append(
                ("access-control-allow-methods", AdminMethod.allCases.map(\.rawValue).joined(separator: ", ")))
            fields.append(("access-control-allow-headers", "authorization, content-type"))
            fields.append(("access-control-max-age", "600"))
        }
        return fields.map { (name: $0.0, value: $0.1) }
    }

    private func checkHost(_ request: AdminRequest) throws(Problem) {
        guard let field = request.header("host") else { return }
        let host = HostName(field)
        if !host.isLocal(allowed: allowedHosts) {
            throw Problem(
                .foreignHost,
                "The Host \(quoted(field)) is not a name of this machine; expected an IP address, localhost, a single "
                    + "label, *.localhost, *.internal or a name given with --allow-host.",
                hint: "If the name is meant, start the server with --allow-host \(host.name).")
        }
    }

    private func checkOrigin(_ request: AdminRequest) throws(Problem) {
        if let origin = request.header("origin") {
            if isAllowedOrigin(origin) || isSame(origin, request.header("host")) { return }
            throw Problem(
                .foreignOrigin, "The Origin \(quoted(origin)) is not this server's.",
                hint: "If a page there is meant to call this API, start the server with --cors-origin.")
        }
        // Browsers leave Origin out of plain GETs of scripts and images, but say where they come from.
        if request.header("sec-fetch-site") == "cross-site", request.header("sec-fetch-mode") != "navigate" {
            throw Problem(.foreignOrigin, "A page of another site made this request (Sec-Fetch-Site: cross-site).")
        }
    }

    private func checkToken(_ request: AdminRequest) throws(Problem) {
        guard let adminToken else { return }
        let field = request.header("authorization")?.trimmed
        let scheme = "bearer "
        let isBearer = field?.lowercased().hasPrefix(scheme) == true
        let given = isBearer ? field?.dropFirst(scheme.count).trimmed : nil
        if let given, ConstantTime.equal(given, adminToken) { return }
        var problem = Problem(
            .unauthorized,
            given != nil
                ? "The bearer token is not the admin token of this server."
                : field != nil
                    ? "The Authorization field is not of the form: Bearer TOKEN."
                    : "This server asks for its admin token, and the request has no Authorization field.",
            hint: "Send \"Authorization: Bearer TOKEN\" with the value of --admin-token or MOCK_APNS_ADMIN_TOKEN.")
        problem.headers = [("www-authenticate", #"Bearer realm="mock-apns""#)]
        throw problem
    }

    private func checkBody(_ request: AdminRequest) throws(Problem) {
        if request.body.isEmpty { return }
        if request.body.count > AdminLimits.bodyBytes {
            throw Problem(
                .tooLarge,
                "The body has \(request.body.count) bytes; expected at most \(AdminLimits.bodyBytes).")
        }
        let field = request.header("content-type")
        let type = (field ?? "").split(separator: ";").first?.trimmed.lowercased()
        if type != "application/json" {
            throw Problem(
                .unsupportedMediaType,
                field.map { "The Content-Type is \(quoted($0)); expected application/json." }
                    ?? "The body has no Content-Type; expected application/json.",
                hint: "With curl: -H 'content-type: application/json' beside -d; since 7.82 --json '{…}' does both.")
        }
    }

    private func isAllowedOrigin(_ origin: String?) -> Bool {
        guard let origin, let corsOrigin else { return false }
        return corsOrigin == "*" || corsOrigin.lowercased() == origin.lowercased()
    }

    private func isSame(_ origin: String, _ host: String?) -> Bool {
        guard let host else { return false }
        let origin = origin.lowercased()
        return ["http://", "https://"].contains { origin == $0 + host.trimmed.lowercased() }
    }
}
