/// An answer that goes on piece by piece; confined to its loop.
package protocol AdminStream: AnyObject {
    /// How many bytes the guest has not taken yet.
    var pendingBytes: Int { get }
    /// Called when it has taken all of them.
    var onDrain: (() -> Void)? { get set }

    /// Sends status and header fields.
    func start(_ head: AdminResponse)
    /// Sends a piece of the body.
    func send(_ bytes: [UInt8])
    /// Ends the answer.
    func end()
}
