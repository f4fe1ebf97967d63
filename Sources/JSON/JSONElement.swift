/// A value of a ``JSONDocument``: the place of its node. It means nothing in another document.
package struct JSONElement: Sendable, Hashable {
    package let node: Int32

    package init(node: Int32) {
        self.node = node
    }
}
