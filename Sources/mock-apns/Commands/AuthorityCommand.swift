import EventLoop
import Server

/// `ca`: the certificate that senders must trust.
enum AuthorityCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var file: String?
        var hasBundle = false
    }

    /// Where systems keep the roots that everybody trusts.
    private static let systemRoots = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    static let command = Command(
        "ca", "[--bundle] [-O FILE]", "Prints the test CA's certificate as PEM: what a sender must trust.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("file", letter: "O", "FILE", "write it there instead") { $0.file = $1 }.withoutVariable,
                    Flag<Settings>.toggle("bundle", "the system's roots too, for senders that also call other hosts") {
                        $0.hasBundle = $1
                    }.withoutVariable,
                ]),
            Settings.clientFlags,
        ]
    ) { result in
        let settings = result.settings
        let response = try AdminClient(settings: settings.client).send("/v1/ca.pem")
        guard response.status == 200 else {
            throw CommandFailure(
                "\(settings.client.admin) answers \(response.status): \(response.text)", response.exitCode)
        }
        let text = (settings.hasBundle ? try bundledRoots() : "") + response.text
        if let file = settings.file {
            try TextFile.replace(file, with: text)
        } else {
            StandardStream.output.write(text)
        }
        return .success
    }

    private static func bundledRoots() throws -> String {
        for path in systemRoots {
            if let bytes = try? TextFile.read(path) { return String(decoding: bytes, as: UTF8.self).endingInLineFeed }
        }
        throw CommandFailure("no system roots found in \(systemRoots.joined(separator: ", "))", .inputMissing)
    }
}
