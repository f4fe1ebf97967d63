import EventLoop
import Server

/// `ca`: the certificate that senders must trust.
enum AuthorityCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var file: String?
        var hasBundle = false
        var isPEM = false
        var isPKCS12 = false
        var password: String?
    }

    static let command = Command(
        "ca", "[--pem | --p12 | --bundle] [-O FILE]",
        "Prints the test CA's certificate as PEM, or writes a trust store: what a sender must trust.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("file", letter: "O", "FILE", "write it there instead") { $0.file = $1 }.withoutVariable,
                    Flag<Settings>.toggle("pem", "PEM, as without any of these") { $0.isPEM = $1 }.withoutVariable,
                    Flag<Settings>.toggle("p12", "a PKCS #12 trust store, for senders in Java; needs -O") {
                        $0.isPKCS12 = $1
                    }.withoutVariable,
                    Flag<Settings>.toggle("bundle", "the system's roots too, for senders that also call other hosts") {
                        $0.hasBundle = $1
                    }.withoutVariable,
                    .value("password", "TEXT", default: "mock-apns", "the password of the trust store") {
                        $0.password = $1
                    }.withoutVariable,
                ]),
            Settings.clientFlags,
        ]
    ) { result in
        let settings = result.settings
        if [settings.isPEM, settings.isPKCS12, settings.hasBundle].filter({ $0 }).count > 1 {
            throw UsageError("--pem, --p12 and --bundle exclude each other")
        }
        if settings.isPKCS12 { return try writeTrustStore(settings) }
        let response = try fetch("/v1/ca.pem", settings)
        let text = (settings.hasBundle ? try bundledRoots() : "") + response.text
        if let file = settings.file {
            try TextFile.replace(file, with: text)
        } else {
            StandardStream.output.write(text)
        }
        return .success
    }

    private static func writeTrustStore(_ settings: Settings) throws -> ExitCode {
        guard let file = settings.file else {
            throw UsageError("ca --p12 needs -O FILE: such a file is not for terminals")
        }
        var query = Query()
        if let password = settings.password { query.add("password", password) }
        try TextFile.replace(file, with: try fetch("/v1/ca.p12" + query.text, settings).body)
        return .success
    }

    private static func fetch(_ target: String, _ settings: Settings) throws -> HTTP1Client.Response {
        let response = try AdminClient(settings: settings.client).send(target)
        guard response.status == 200 else {
            throw CommandFailure(
                "\(settings.client.admin) answers \(response.status): \(response.text)", response.exitCode)
        }
        return response
    }

    private static func bundledRoots() throws -> String {
        if let text = SystemRoots.text { return text }
        throw CommandFailure("no system roots found in \(SystemRoots.files.joined(separator: ", "))", .inputMissing)
    }
}
