/// A reference that travels through other threads and is used on one.
///
/// `@unchecked Sendable` because ``value`` is read only in jobs posted to the object's own loop, and because the
/// reference is weak: dropping the box elsewhere never destroys the object there.
struct LoopConfined<Value: AnyObject>: @unchecked Sendable {
    private weak var reference: Value?

    /// A box for an object of the loop that is running now.
    init(_ value: Value) {
        reference = value
    }

    /// The object while it lives; only on its loop.
    var value: Value? { reference }
}
