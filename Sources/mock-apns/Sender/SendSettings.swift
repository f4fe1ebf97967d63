import Server

/// What `send` sends, and where to.
struct SendSettings: Sendable {
    /// How the result is printed.
    enum Output: String, Sendable, CaseIterable {
        case text, json
    }

    var url = "https://127.0.0.1:2197"
    var certificates = "certs"
    var team = "MOCKTEAM01"
    var authority: String?
    var key: KeyFile?
    var output = Output.text
    var isQuiet = false

    var device: String?
    var topic = "com.example.app"
    var pushType = "alert"
    var priority: String?
    var expiration: String?
    var collapseID: String?
    var apnsID: String?

    var title: String?
    var subtitle: String?
    var body: String?
    var badge: Int?
    var sound: String?
    var thread: String?
    var category: String?
    var data: [(name: String, value: String)] = []
    var payloadFile: String?

    var count = 1
    var ratePerSecond: Double?
    var connections = 1

    /// The sender's key: the one given, or the one that the server made.
    var keyFile: KeyFile {
        key ?? KeyFile(file: "\(certificates)/AuthKey_MOCK000001.p8", keyID: "MOCK000001", teamID: team)
    }

    /// The certificate to trust.
    var authorityFile: String { authority ?? "\(certificates)/ca.pem" }
}
