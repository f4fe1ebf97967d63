/// Memory that renders lines again and again.
package struct RenderScratch: ~Copyable {
    /// What was written.
    package var buffer = LineBuffer()
    /// Where each entry of a batch ends in the buffer.
    var ends: [Int] = []
    var receivedTime = TimeText()
    var serverTime = TimeText()

    package init() {}

    /// Empties it for the next use.
    package mutating func reset() {
        buffer.removeAll()
        ends.removeAll(keepingCapacity: true)
    }
}
