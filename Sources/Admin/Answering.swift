/// How a handler answers.
package enum Answering {
    /// At once.
    case now(AdminResponse)
    /// At once, and then something happens to the server.
    case nowThen(AdminResponse, () -> Void)
    /// With what the journal holds, or when the expectation is met or cannot be any more.
    case ask(ListQuestion)
    /// With the verdict about several expectations at once, when it is there.
    case verify(VerifyQuestion)
}
