/// An answer: a status, a few fields and a body that is often a constant.
package struct HTTPResponse: Sendable {
    /// The value of a field: an id written in place or a run of bytes.
    package enum Value: Sendable {
        case id(UUIDText)
        case bytes([UInt8])
    }

    /// A field of the answer; its name is one of ours.
    package struct Field: Sendable {
        package var name: HeaderName
        package var value: Value

        package init(_ name: HeaderName, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The body: nothing, a constant of the program, or bytes made for this answer.
    package enum Body: Sendable {
        case none
        case constant(StaticString)
        case bytes([UInt8])
    }

    package var status: UInt16
    package var fields: [Field]
    package var body: Body

    /// An answer as it will be sent.
    package init(status: UInt16, fields: [Field] = [], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
