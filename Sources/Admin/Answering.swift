/// How a handler answers.
package enum Answering {
    /// At once.
    case now(AdminResponse)
    /// At once, and then something happens to the server.
    case nowThen(AdminResponse, () -> Void)
    /// When something that was started has ended: `start` calls its argument once, on any thread.
    case later(_ start: (@escaping @Sendable (AdminResponse) -> Void) -> Void)
    /// With what the journal holds, or when the expectation is met or cannot be any more.
    case ask(ListQuestion)
    /// With the verdict about several expectations at once, when it is there.
    case verify(VerifyQuestion)
    /// With a body that is made while it is sent: what the function gives until it gives nil.
    case pieces(AdminResponse.MediaType, () -> [UInt8]?)
    /// With events, as they happen.
    case stream(EventQuestion)
}
