import APNs
import HTTP
import Simulation

/// A request as a curl command that sends it again. The signature of a provider token is left out: `$JWT` stands for it.
struct CurlRendering {
    /// Where the command sends the request.
    enum Target: String, CaseIterable {
        case mock, apple
    }

    private let content: JournalEntry.Content
    private let target: Target
    private let authorityFile: String

    /// Fields that curl or HTTP/2 makes itself.
    private static let made: Set<String> = [
        "content-length", "host", "connection", "transfer-encoding", "te", "user-agent", "accept", "accept-encoding",
        "expect",
    ]

    init(_ entry: JournalEntry, to target: Target, authorityFile: String) {
        content = entry.content
        self.target = target
        self.authorityFile = authorityFile
    }

    /// The command, with a line feed at its end.
    var text: String {
        var words: [String] = []
        for field in content.request.fields {
            let name = content.request.text(in: field.nameRange).lowercased()
            let value = content.request.text(in: field.valueRange)
            guard !name.hasPrefix(":"), !Self.made.contains(name) else { continue }
            if name == "authorization" {
                words.append("-H \"authorization: \(Self.scheme(value)) $JWT\"")
            } else {
                // A field without a value is written with a semicolon.
                words.append("-H " + ShellText.quoted(value.isEmpty ? "\(name);" : "\(name): \(value)"))
            }
        }
        let hasType = content.request.valueRange(.contentType) != nil
        if hasBody, !hasType { words.append("-H content-type:") }
        let (input, body) = self.body
        if let body { words.append(body) }
        words.append(ShellText.quoted(url))
        let start = input + "curl --http2 " + (target == .mock ? "--cacert \(ShellText.quoted(authorityFile)) " : "")
        return start + (hasBody && method == "POST" ? "" : "-X \(ShellText.quoted(method)) ")
            + words.joined(separator: " \\\n  ") + "\n"
    }

    private var method: String { content.request.text(.method) ?? "POST" }

    private var hasBody: Bool { !content.request.bodyRange.isEmpty }

    private var url: String {
        let path = content.request.text(.path) ?? "/"
        guard target == .mock else { return "https://\(appleHost)\(path)" }
        let listener = content.connection.value.listener
        for (any, loopback) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where listener.hasPrefix(any) {
            return "https://\(loopback)\(listener.dropFirst(any.count))\(path)"
        }
        return "https://\(listener)\(path)"
    }

    private var appleHost: String {
        let isSandbox = content.environment == .sandbox
        switch content.kind {
        case .channels:
            return isSandbox
                ? "api-manage-broadcast.sandbox.push.apple.com:2195" : "api-manage-broadcast.push.apple.com:2196"
        case .device, .broadcast: return isSandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com"
        }
    }

    /// What the command reads, and how it says so. Bytes that are no text go through base64.
    private var body: (input: String, word: String?) {
        guard hasBody else { return ("", nil) }
        let bytes = content.request.storage[content.request.bodyRange]
        if !bytes.contains(0), bytes.first != UInt8(ascii: "@"), let text = String(validating: bytes, as: UTF8.self) {
            return ("", "--data-binary " + ShellText.quoted(text))
        }
        return ("printf %s '\(Base64.text(bytes))' | base64 -d | ", "--data-binary @-")
    }

    /// "bearer" as the sender wrote it.
    private static func scheme(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        return ["bearer", "Bearer", "BEARER"].contains(String(scheme)) ? String(scheme) : "bearer"
    }
}
