import APNs

/// Memory that renders lines again and again.
package struct RenderScratch: ~Copyable {
    /// What was written.
    package var buffer = LineBuffer()
    /// Where in the buffer the lines of a batch lie, without the members that hold the number.
    var tails: [Range<Int>] = []
    /// What the sender's conduct showed in the entry at hand; no part of the log, whose lines are written before anybody looks.
    var remarks: [Finding] = []
    var head = HeadText()
    var receivedTime = TimeText()
    var serverTime = TimeText()

    package init() {}

    /// Empties it for the next use.
    package mutating func reset() {
        buffer.removeAll()
        tails.removeAll(keepingCapacity: true)
    }
}
