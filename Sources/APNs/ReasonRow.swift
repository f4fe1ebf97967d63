/// What the table says of one reason.
package struct ReasonRow: Sendable {
    /// Where APNs uses a reason.
    package struct Occurrence: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The answer to a device push.
        package static let device = Occurrence(rawValue: 1)
        /// The answer to a broadcast.
        package static let broadcast = Occurrence(rawValue: 2)
        /// The answer to a request that manages channels.
        package static let channels = Occurrence(rawValue: 4)
        /// The debug data of a GOAWAY frame.
        package static let connection = Occurrence(rawValue: 8)

        /// The words for people and for JSON, in order.
        package var names: [String] {
            let all: [(Occurrence, String)] = [
                (.device, "device"), (.broadcast, "broadcast"), (.channels, "channels"), (.connection, "connection"),
            ]
            return all.filter { contains($0.0) }.map(\.1)
        }
    }

    /// What Apple says about sending the same notification again.
    package enum Retry: String, Sendable {
        /// Never send it again.
        case never
        /// Again when the request is mended.
        case afterFix
        /// Again later, slower.
        case later
        /// Again after 15 minutes, with growing pauses.
        case afterFifteenMinutes
    }

    /// The word as it stands on the wire.
    package let spelling: StaticString
    /// The word as it stands in Apple's tables; the same for all but three.
    package let documentedSpelling: StaticString
    package let status: UInt16
    /// The whole body of an answer on the wire.
    package let body: StaticString
    /// The whole body with the documented spelling.
    package let documentedBody: StaticString
    package let occurrence: Occurrence
    package let retry: Retry
    /// What the reason means.
    package let meaning: StaticString
    /// What usually leads to it.
    package let usualCause: StaticString
    /// What to do.
    package let fix: StaticString
    /// Apple's page.
    package let source: StaticString

    /// A row whose two spellings are the same.
    init(
        _ spelling: StaticString, _ status: UInt16, _ body: StaticString, in occurrence: Occurrence,
        retry: Retry = .afterFix, meaning: StaticString, cause: StaticString, fix: StaticString,
        source: StaticString = ApplePage.responses
    ) {
        self.init(
            spelling, documented: spelling, status, body, documentedBody: body, in: occurrence, retry: retry,
            meaning: meaning, cause: cause, fix: fix, source: source)
    }

    /// A row whose spelling on the wire is not the documented one.
    init(
        _ spelling: StaticString, documented: StaticString, _ status: UInt16, _ body: StaticString,
        documentedBody: StaticString, in occurrence: Occurrence, retry: Retry = .afterFix, meaning: StaticString,
        cause: StaticString, fix: StaticString, source: StaticString = ApplePage.responses
    ) {
        self.spelling = spelling
        documentedSpelling = documented
        self.status = status
        self.body = body
        self.documentedBody = documentedBody
        self.occurrence = occurrence
        self.retry = retry
        self.meaning = meaning
        usualCause = cause
        self.fix = fix
        self.source = source
    }
}
