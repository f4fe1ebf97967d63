/// Who sent a request, shared by all entries of one token or certificate.
package final class SenderReference: Sendable {
    package let value: JournalEntry.Authentication
    /// The member `auth` as JSON up to the age of a token; whole for others. Every line of the log repeats it.
    let json: [UInt8]
    /// What follows the age.
    let jsonEnd: [UInt8]
    /// When a token was issued, in seconds since 1970.
    let issuedAt: Double?

    /// Nobody proved anything.
    package static let none = SenderReference(.none)

    package init(_ value: JournalEntry.Authentication) {
        self.value = value
        var buffer = LineBuffer(capacity: 256)
        var end = LineBuffer(capacity: 64)
        switch value {
        case .none:
            buffer.append(",\"auth\":{\"method\":\"none\"}")
        case .token(let keyID, let teamID, _, let signature):
            buffer.append(",\"auth\":{\"method\":\"token\",\"keyId\":", text: keyID)
            buffer.append(",\"teamId\":", text: teamID)
            buffer.append(",\"tokenAgeMs\":")
            end.append(",\"signature\":")
            end.append(quoted: signature)
            end.append("}")
        case .certificate(let subject):
            buffer.append(",\"auth\":{\"method\":\"certificate\",\"subject\":", text: subject)
            buffer.append("}")
        }
        issuedAt = if case .token(_, _, let issuedAt, _) = value { issuedAt } else { nil }
        json = unsafe buffer.withBytes { unsafe Array($0) }
        jsonEnd = unsafe end.withBytes { unsafe Array($0) }
    }
}
