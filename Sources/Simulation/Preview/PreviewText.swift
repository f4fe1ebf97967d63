import APNs

/// A text of a notification as its device shows it.
package struct PreviewText: Sendable, Equatable {
    /// What is to be read: the text, the translation of a key, or the key where no translation is known.
    package var text: String
    /// The key of a translation; nil for a text that was sent as such.
    package var key: String?
    /// What the sender wants put into the translation.
    package var arguments: [String] = []
    /// Whether no translation of the key is known here.
    package var isMissing = false

    /// A text as it was sent.
    package init(_ text: String) {
        self.text = text
    }

    /// What stands behind a key in the app's texts.
    package init(key: String, arguments: [String], in texts: [String: String]) {
        self.key = key
        self.arguments = arguments
        if let format = texts[key] {
            text = LocalizedFormat.filled(format, with: arguments)
        } else {
            text = key
            isMissing = true
        }
    }
}
