/// One push on its way.
package struct OutgoingPush: Sendable {
    /// What its sender knows it by.
    package var tag: UInt64
    /// All header fields, pseudo-header fields first.
    package var fields: [(String, String)]
    package var body: [UInt8]

    /// A push with these fields and this payload.
    package init(tag: UInt64 = 0, fields: [(String, String)], body: [UInt8]) {
        self.tag = tag
        self.fields = fields
        self.body = body
    }
}
