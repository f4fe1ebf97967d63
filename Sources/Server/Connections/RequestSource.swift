import Simulation

/// Who a decision is answered to: a connection of HTTP/2, or one of HTTP/1.1.
protocol RequestSource: AnyObject {
    /// Answers a request, once its entry is in the log; nothing happens when the sender has gone.
    func answer(_ decision: borrowing Decision, stream: Int32, at milliseconds: Int64)
}
