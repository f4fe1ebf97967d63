/// Why a stream was reset before its request could be judged.
package struct StreamRejection: Sendable, Equatable {
    /// What was wrong, as a stable word.
    package enum Cause: String, Sendable, CaseIterable {
        /// A header field that HTTP/2 forbids.
        case headers
        /// More header bytes than this server takes.
        case headersTooLarge
        /// Header fields or a body that do not make a request: no `:path`, a wrong `content-length`.
        case message
        /// One stream more than MAX_CONCURRENT_STREAMS allows.
        case refused
    }

    package let cause: Cause
    /// The code of the RST_STREAM that is sent.
    package let code: UInt32
    /// One sentence for people: what came, what was expected.
    package let explanation: String

    package init(cause: Cause, code: UInt32, explanation: String) {
        self.cause = cause
        self.code = code
        self.explanation = explanation
    }
}
