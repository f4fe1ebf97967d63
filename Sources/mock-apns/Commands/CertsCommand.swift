import EventLoop
import Server
import Simulation

/// `certs`: client certificates, good and bad.
enum CertsCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var file: String?
        var topic: String?
        var topics: [String]?
        var kinds: [String]?
        var environments: [String]?
        var validity: String?
        var password: String?
        var isPKCS12 = false
        var key: String?
        var isRevoked = false
        var isStranger = false
    }

    static let command = Command(
        "certs", "[ls | new [-O FILE] [--p12] | revoke SERIAL]",
        "Lists, issues and revokes client certificates, good ones and bad ones.",
        notes: """
            `certs new --topic com.acme.app -O push.pem` writes certificate and key in one file. Bad ones for tests:
            `--validity=-1d` has expired, `--env production` is refused by a sandbox listener, `--stranger` is signed by a
            CA that nobody trusts, `--revoked` is revoked.
            """,
        settings: Settings(), flags: [orderFlags, Settings.clientFlags], operands: 0...2
    ) { result in
        let (settings, client) = (result.settings, AdminClient(settings: result.settings.client))
        let value = result.operands.count > 1 ? result.operands[1] : nil
        switch (result.operands.first ?? "ls", value) {
        case ("ls", nil): return try client.show("/v1/certs", Query())
        case ("new", nil): return try issue(settings, client)
        case ("revoke", let serial?):
            return try client.change(
                "/v1/certs/" + Query.escaped(serial), method: "PATCH",
                body: JSONBody.object(["revoked": .boolean(true)]))
        case ("revoke", nil): throw UsageError("certs revoke needs a serial number, as `certs ls` shows it")
        case (let word, _):
            let known = ["ls", "new", "revoke"]
            if known.contains(word) { throw UsageError("certs \(word) takes no further word") }
            let nearest = NearestName.of(word, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)")
        }
    }

    private static var orderFlags: FlagGroup<Settings> {
        FlagGroup(
            "The certificate",
            [
                .value("file", letter: "O", "FILE", "write it there instead of printing it") { $0.file = $1 }
                    .withoutVariable,
                Flag<Settings>.toggle("p12", "a PKCS #12 file instead of PEM; needs -O") { $0.isPKCS12 = $1 }
                    .withoutVariable,
                .value("password", "TEXT", default: "mock-apns", "the password of the PKCS #12 file") {
                    $0.password = $1
                }.withoutVariable,
                .value("topic", "BUNDLEID", default: "com.example.app", "the main bundle id") { $0.topic = $1 }
                    .withoutVariable,
                .list("topics", "TOPIC", "all topics that it lists, instead of the usual ones") { $0.topics = $1 }
                    .withoutVariable,
                .list("kind", "KIND", "which of the usual topics it lists: app, voip, complication") {
                    $0.kinds = $1
                }.withoutVariable,
                .list("env", "NAME", "sandbox or production; both when it is not given") {
                    $0.environments = $1
                }.withoutVariable,
                .value("validity", "DURATION", default: "397d", "how long it is good; -1d ended a day ago") {
                    $0.validity = $1
                }.withoutVariable,
                .value(
                    "key", "KIND", default: "shared",
                    "shared (the RSA key of all), rsa (a new one) or ec (a new P-256 one)"
                ) { $0.key = $1 }.withoutVariable,
                Flag<Settings>.toggle("revoked", "revoked from the start") { $0.isRevoked = $1 }.withoutVariable,
                Flag<Settings>.toggle("stranger", "signed by a CA that nobody trusts") { $0.isStranger = $1 }
                    .withoutVariable,
            ])
    }

    private static func issue(_ settings: Settings, _ client: AdminClient) throws -> ExitCode {
        if settings.isPKCS12, settings.file == nil {
            throw UsageError("certs new --p12 needs -O FILE: such a file is not for terminals")
        }
        let body = JSONBody.object([
            "topic": settings.topic.map { .text($0) }, "topics": settings.topics.map { .texts($0) },
            "kinds": settings.kinds.map { .texts($0) }, "environments": settings.environments.map { .texts($0) },
            "validity": settings.validity.map { .text($0) }, "password": settings.password.map { .text($0) },
            "revoked": settings.isRevoked ? .boolean(true) : nil,
            "issuer": settings.isStranger ? .text("stranger") : nil, "key": settings.key.map { .text($0) },
            "format": .text(settings.isPKCS12 ? "p12" : "pem"),
        ])
        let response = try client.send("/v1/certs", method: "POST", accept: client.accept, body: body)
        guard response.status == 201, let file = settings.file else {
            try client.printBody(of: response)
            return response.exitCode
        }
        try TextFile.replace(file, with: response.body, mode: 0o600)
        if !settings.client.isQuiet, let serial = response.header("mock-apns-serial") {
            StandardStream.output.write("\(file): serial \(serial)\n")
        }
        return .success
    }
}
