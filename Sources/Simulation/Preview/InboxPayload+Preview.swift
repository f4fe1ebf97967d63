import APNs
import JSON

/// What only a picture needs of a payload.
extension InboxPayload {
    /// How many URLs are listed.
    static let linkLimit = 8

    /// Names under which senders put who calls.
    private static let callerNames: [StaticString] = [
        "callerName", "caller_name", "caller", "displayName", "fromName", "from", "handle", "name",
    ]

    /// A text of the alert: as it was sent, or else by its key.
    func shown(
        _ name: StaticString, _ key: StaticString, _ arguments: StaticString, in texts: [String: String]
    ) -> PreviewText? {
        guard let alert = member("alert") else { return nil }
        if let text = document.string(alert) { return "\(name)" == "body" && !text.isEmpty ? PreviewText(text) : nil }
        if let text = document.member(name, of: alert).flatMap({ document.string($0) }) {
            return text.isEmpty ? nil : PreviewText(text)
        }
        guard let key = document.member(key, of: alert).flatMap({ document.string($0) }), !key.isEmpty else {
            return nil
        }
        let list = document.member(arguments, of: alert).map { document.children(of: $0) } ?? []
        return PreviewText(key: key, arguments: list.map { document.string($0) ?? document.written($0) }, in: texts)
    }

    /// The sound, with its volume when it is a critical one.
    var previewSound: Preview.Sound? {
        guard let name = sound, let value = member("sound") else { return nil }
        guard document.kind(value) == .object else { return Preview.Sound(name: name) }
        let critical = document.member("critical", of: value)
        return Preview.Sound(
            name: name,
            isCritical: critical.map { document.integer($0) == 1 || document.boolean($0) == true } ?? false,
            volume: document.member("volume", of: value).flatMap { document.double($0) })
    }

    /// Who calls, where the payload says so under a usual name.
    var caller: String? {
        for name in Self.callerNames {
            guard let member = document.member(name, of: document.root), let text = document.string(member),
                !text.isEmpty
            else { continue }
            return text
        }
        return nil
    }

    /// The texts of the payload that are URLs, wherever they stand.
    var links: [String] {
        var links: [String] = []
        collectLinks(document.root, &links)
        return links
    }

    /// The scanner has bounded the depth.
    private func collectLinks(_ element: JSONElement, _ links: inout [String]) {
        guard links.count < Self.linkLimit else { return }
        if let text = document.string(element) {
            if text.hasPrefix("https://") || text.hasPrefix("http://") { links.append(text) }
            return
        }
        for child in document.children(of: element) { collectLinks(child, &links) }
    }
}
