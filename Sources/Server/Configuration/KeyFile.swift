import Simulation

/// A sender's key from elsewhere: `--key FILE.p8:KEYID:TEAM`, or `FILE.p8:KEYID:TEAM:TOPIC+TOPIC` for a key of some topics.
package struct KeyFile: Sendable, Equatable {
    /// The PEM file, private or public.
    package var file: String
    package var keyID: String
    package var teamID: String
    /// The topics that the key covers, `*` standing for any characters; empty when it covers all of its team.
    package var topics: [String]

    /// A key file with the names under which tokens use it.
    package init(file: String, keyID: String, teamID: String, topics: [String] = []) {
        self.file = file
        self.keyID = keyID
        self.teamID = teamID
        self.topics = topics
    }

    /// Reads `FILE.p8:KEYID:TEAM[:TOPIC+TOPIC]`; the file's name may hold colons.
    package init(_ text: String) throws(UsageError) {
        let form = "FILE.p8:KEYID:TEAM[:TOPIC+TOPIC]"
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var topics: [String] = []
        if parts.count > 3, let last = parts.last, last.contains(".") || last == "*" {
            topics = last.split(separator: "+").map(String.init)
            parts.removeLast()
        }
        guard parts.count >= 3, let team = parts.last, !parts[0].isEmpty else {
            throw UsageError("\"\(text)\" is not \(form)")
        }
        let key = parts[parts.count - 2]
        for (what, id) in [("key id", key), ("team id", team)] where !KeyStore.Key.isIdentifier(id) {
            throw UsageError(
                "\"\(text)\": the \(what) \"\(id)\" is not \(KeyStore.Key.identifierLength) letters or digits (\(form))"
            )
        }
        self.init(file: parts.dropLast(2).joined(separator: ":"), keyID: key, teamID: team, topics: topics)
    }
}
