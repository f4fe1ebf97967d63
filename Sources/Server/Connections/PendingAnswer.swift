import Simulation

/// A decision that waits for the end of the loop's turn, when all of the turn's entries go to the log with one write.
struct PendingAnswer {
    let source: any RequestSource
    let stream: Int32
    var decision: Decision
    /// The namespace of the request; nil for the default one.
    let namespace: Namespace?
}
