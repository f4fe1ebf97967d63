import JSON

extension JSONKind {
    /// Whether it is a string: for the rules that every payload meets, since == on another module's enum is a call.
    var isString: Bool {
        if case .string = self { true } else { false }
    }
}
