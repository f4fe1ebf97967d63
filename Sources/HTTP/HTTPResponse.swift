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

    /// A field whose value is an id.
    package struct IDField: Sendable {
        package let name: HeaderName
        package let id: UUIDText
    }

    /// The body: nothing, a constant of the program, or bytes made for this answer.
    package enum Body: Sendable {
        case none
        case constant(StaticString)
        case bytes([UInt8])
    }

    package var status: UInt16
    package var body: Body
    /// The ids that come first. An accepted push has nothing else, and needs no array.
    package private(set) var firstID: IDField?
    package private(set) var secondID: IDField?
    /// The fields behind the ids.
    package private(set) var others: [Field] = []

    /// An answer as it will be sent.
    package init(status: UInt16, fields: [Field] = [], body: Body = .none) {
        self.status = status
        self.body = body
        self.fields = fields
    }

    /// An answer that has one or two ids and nothing else.
    package init(status: UInt16, _ name: HeaderName, _ id: UUIDText, _ secondName: HeaderName, _ secondID: UUIDText?) {
        self.status = status
        body = .none
        firstID = IDField(name: name, id: id)
        if let secondID { self.secondID = IDField(name: secondName, id: secondID) }
    }

    /// All fields in the order in which they are sent.
    package var fields: [Field] {
        get {
            [firstID, secondID].compactMap { $0.map { Field($0.name, .id($0.id)) } } + others
        }
        set {
            others = newValue
            firstID = takeID()
            secondID = takeID()
        }
    }

    private mutating func takeID() -> IDField? {
        guard let first = others.first, case .id(let id) = first.value else { return nil }
        others.removeFirst()
        return IDField(name: first.name, id: id)
    }
}
