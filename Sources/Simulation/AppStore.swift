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

    /// These apps instead of all others.
    package func replace(with apps: [AppFacts]) {
        self.apps.withLock { $0 = apps }
    }

    /// Back to the apps that the store was made with.
    package func reset() {
        replace(with: initial)
    }
}
