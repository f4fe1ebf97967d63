package import JSON

/// A payload judged by itself: whether it would be refused, everything remarkable about it, and where its bytes go.
package struct PayloadReport: Sendable {
    /// A place in the text, as editors count: lines from 1, bytes of the line from 1.
    package struct Place: Sendable, Equatable {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// A finding and where in the text it is.
    package struct Remark: Sendable, Equatable {
        package let finding: Finding
        /// The member that it is about, or the nearest one around what is missing; nil for a finding about no place.
        package let place: Place?

        package init(_ finding: Finding, _ place: Place?) {
            self.finding = finding
            self.place = place
        }
    }

    /// The push type that it was judged as.
    package let pushType: PushType
    /// Whether nobody named the push type.
    package let isTypeInferred: Bool
    package let profile: Profile
    /// The checks that fail, in order; the first is the answer.
    package let failures: [CheckFailure]
    package let remarks: [Remark]
    /// Why it is not JSON; nil when it is.
    package let fault: JSONFault?
    /// How many bytes it has, and may have.
    package let bytes: Int
    package let limit: Int
    /// How many bytes it would have without white space; what it has when it is not JSON.
    package let compactBytes: Int
    /// What each key takes; empty unless it is a JSON object.
    package let parts: [PayloadSize.Part]

    /// Whether APNs would accept it.
    package var isAccepted: Bool { failures.isEmpty }
    /// How many bytes are left; negative when there are too many.
    package var remaining: Int { limit - bytes }
    /// Brackets, commas and white space between the keys.
    package var bytesBetween: Int { bytes - parts.reduce(0) { $0 + $1.bytes } }

    /// How many remarks are of a severity.
    package func count(_ severity: Finding.Severity) -> Int {
        remarks.reduce(0) { $0 + ($1.finding.code.severity == severity ? 1 : 0) }
    }
}
