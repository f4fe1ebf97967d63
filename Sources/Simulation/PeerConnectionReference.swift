/// A connection's facts, shared by all its entries.
package final class PeerConnectionReference: Sendable {
    package let value: PeerConnection

    package init(_ value: PeerConnection) {
        self.value = value
    }
}
