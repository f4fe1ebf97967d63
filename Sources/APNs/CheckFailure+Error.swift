/// A failed check can end a step that yields a value otherwise.
extension CheckFailure: Error {}
