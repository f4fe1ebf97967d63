import Locking

/// A list that several threads add to.
package final class Collected<Element: Sendable>: Sendable {
    private let elements = Lock<[Element]>([])

    package init() {}

    /// Adds one at the end.
    package func append(_ element: Element) {
        elements.withLock { $0.append(element) }
    }

    /// What was added so far.
    package var all: [Element] { elements.withLock { $0 } }
}
