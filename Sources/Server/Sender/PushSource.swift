/// Where a connection of a sender of ours takes its pushes from, and what it tells of them.
package protocol PushSource: AnyObject {
    /// The next push to send; nil when none is due.
    func nextPush(for connection: PushConnection) -> OutgoingPush?
    /// A push was answered, or will never be.
    func finished(_ push: OutgoingPush, _ result: PushConnection.Result)
    /// The connection has ended; what was in flight is finished already.
    func ended(_ connection: PushConnection, because failure: String)
}
