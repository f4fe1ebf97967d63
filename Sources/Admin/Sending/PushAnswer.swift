/// What came of it.
package struct PushAnswer: Sendable {
    /// Nil when there was no answer.
    package var status: Int?
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// Why there was no answer.
    package var failure: String?

    /// An answer.
    package init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// No answer, because.
    package init(failure: String) {
        self.failure = failure
    }

    /// The first value of a field; the name in lower case.
    package func header(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}
