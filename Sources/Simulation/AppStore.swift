import Locking

/// The apps whose names and icons previews show.
package final class AppStore: Sendable {
    private let initial: [AppFacts]
    private let apps: Lock<[AppFacts]>

    /// A store of these apps.
    package init(_ apps: [AppFacts] = []) {
        initial = apps
        self.apps = Lock(apps)
    }

    /// All apps.
    package var all: [AppFacts] { apps.withLock { $0 } }

    /// These apps instead of all others. What the files of an app say stays known while it names the same files.
    package func replace(with apps: [AppFacts]) {
        self.apps.withLock { present in
            present = apps.map { app in
                var app = app
                let known = (present + initial).filter { $0.bundleID == app.bundleID }
                if app.texts.isEmpty, let file = app.strings {
                    app.texts = known.first { $0.strings == file && !$0.texts.isEmpty }?.texts ?? [:]
                }
                if app.iconURL == nil, let file = app.icon {
                    app.iconURL = known.first { $0.icon == file && $0.iconURL != nil }?.iconURL
                }
                return app
            }
        }
    }

    /// Back to the apps that the store was made with.
    package func reset() {
        apps.withLock { $0 = initial }
    }
}
