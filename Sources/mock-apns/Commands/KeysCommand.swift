import EventLoop
import JSON
import Server
import Simulation

/// `keys`: the keys that senders sign provider tokens with.
enum KeysCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var file: String?
        var keyID: String?
        var teamID: String?
        var relatedKeyID: String?
        var topics: [String]?
        var environments: [String]?
    }

    static let command = Command(
        "keys", "[ls | new [-O FILE] | import FILE | revoke KEYID]",
        "Lists, makes, imports and revokes the keys of provider tokens.",
        notes: """
            `keys new -O AuthKey.p8 --topic com.acme.app` makes a key for one topic and writes its file. `keys import` takes
            a sender's own .p8 file, or only its public key.
            """,
        settings: Settings(), flags: [scopeFlags, Settings.clientFlags], operands: 0...2
    ) { result in
        let (settings, client) = (result.settings, AdminClient(settings: result.settings.client))
        let value = result.operands.count > 1 ? result.operands[1] : nil
        switch (result.operands.first ?? "ls", value) {
        case ("ls", nil): return try client.show("/v1/keys", Query())
        case ("new", nil):
            return try register(members(settings, keyID: settings.keyID), into: settings.file, printing: true, client)
        case ("import", let file?):
            let pem = String(decoding: try TextFile.read(file), as: UTF8.self)
            let name = pem.contains("PRIVATE KEY") ? "p8" : "publicKey"
            let body = members(settings, keyID: settings.keyID ?? fileID(file), key: (name, pem))
            return try register(body, into: nil, printing: false, client)
        case ("revoke", let id?):
            return try client.change(
                "/v1/keys/" + Query.escaped(id), method: "PATCH", body: JSONBody.object(["revoked": .boolean(true)]))
        case ("import", nil): throw UsageError("keys import needs a file: mock-apns keys import AuthKey_ABC123DEFG.p8")
        case ("revoke", nil): throw UsageError("keys revoke needs a key id, as `keys ls` shows it")
        case (let word, _):
            let known = ["ls", "new", "import", "revoke"]
            if known.contains(word) { throw UsageError("keys \(word) takes no further word") }
            let nearest = NearestName.of(word, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)")
        }
    }

    private static var scopeFlags: FlagGroup<Settings> {
        FlagGroup(
            "The key",
            [
                .value("file", letter: "O", "FILE", "write the new key's .p8 there instead of printing it") {
                    $0.file = $1
                }.withoutVariable,
                .value("key-id", "KEYID", "its id; of an imported AuthKey_<KEYID>.p8 the one in its name") {
                    $0.keyID = $1
                }.withoutVariable,
                .value("team", "TEAM", default: "MOCKTEAM01", "its team") { $0.teamID = $1 }.withoutVariable,
                .value("related", "KEYID", "the key that may be used beside it on a connection") {
                    $0.relatedKeyID = $1
                }.withoutVariable,
                .list("topic", "TOPIC", "a topic that it covers, * for any characters; all when there is none") {
                    $0.topics = $1
                }.withoutVariable,
                .list("env", "NAME", "sandbox or production; both when it is not given") {
                    $0.environments = $1
                }.withoutVariable,
            ])
    }

    private static func members(
        _ settings: Settings, keyID: String?, key: (name: String, pem: String)? = nil
    ) -> [UInt8] {
        JSONBody.object([
            "keyId": keyID.map { .text($0) }, "teamId": settings.teamID.map { .text($0) },
            "relatedKeyId": settings.relatedKeyID.map { .text($0) }, "topics": settings.topics.map { .texts($0) },
            "environments": settings.environments.map { .texts($0) }, key?.name ?? "p8": key.map { .text($0.pem) },
        ])
    }

    /// Registers a key; its private half goes to a file, to standard output, or nowhere, as the sender has it already.
    private static func register(
        _ body: [UInt8], into file: String?, printing: Bool, _ client: AdminClient
    ) throws -> ExitCode {
        if file == nil, printing { return try client.change("/v1/keys", method: "POST", body: body) }
        let response = try client.send("/v1/keys", method: "POST", accept: "application/json", body: body)
        var document = JSONDocument()
        let isJSON = document.parse(response.body, in: response.body.indices) == nil
        guard response.status == 201 else {
            let words = isJSON ? document.member("detail", of: document.root).flatMap { document.string($0) } : nil
            throw CommandFailure(words ?? response.text, response.exitCode)
        }
        guard isJSON, let id = document.member("keyId", of: document.root).flatMap({ document.string($0) }) else {
            throw CommandFailure("the server's answer is no key: \(response.text)", .internalError)
        }
        if let file, let pem = document.member("p8", of: document.root).flatMap({ document.string($0) }) {
            try TextFile.replace(file, with: pem, mode: 0o600)
        }
        return try client.show("/v1/keys/" + Query.escaped(id), Query())
    }

    /// The id in a name such as AuthKey_ABC123DEFG.p8.
    private static func fileID(_ path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        return String(name.dropFirst(8).dropLast(3))
    }
}
