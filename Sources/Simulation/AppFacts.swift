/// What a preview needs to know of an app.
package struct AppFacts: Sendable, Equatable {
    package var bundleID: String
    /// The name under the icon.
    package var name: String?
    /// The file of the icon.
    package var icon: String?
    /// The file of localized texts.
    package var strings: String?
    /// What that file says.
    package var texts: [String: String] = [:]
    /// What the file of the icon holds, as a `data:` URL.
    package var iconURL: String?

    /// An app of which nothing else is known.
    package init(bundleID: String) {
        self.bundleID = bundleID
    }
}
