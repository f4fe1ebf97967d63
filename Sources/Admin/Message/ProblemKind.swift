/// Every kind of refusal of the admin API, one row each.
package struct ProblemKind: Sendable, Equatable {
    /// The last part of `type`, after `urn:mock-apns:`.
    package let name: StaticString
    package let status: Int
    /// What is wrong, in a few words; a problem may say it with its own numbers.
    package let title: StaticString

    package static let unknownParameter = Self(name: "unknown-parameter", status: 400, title: "Unknown query parameter")
    package static let badValue = Self(name: "bad-value", status: 400, title: "Value not understood")
    package static let badBody = Self(name: "bad-body", status: 400, title: "Body not understood")
    package static let unauthorized = Self(name: "unauthorized", status: 401, title: "Admin token required")
    package static let foreignHost = Self(name: "foreign-host", status: 403, title: "Host name not allowed")
    package static let foreignOrigin = Self(name: "foreign-origin", status: 403, title: "Origin not allowed")
    package static let unknownRoute = Self(name: "unknown-route", status: 404, title: "No such route")
    package static let unknownNamespace = Self(name: "unknown-namespace", status: 404, title: "No such namespace")
    package static let notFound = Self(name: "not-found", status: 404, title: "No such entry")
    package static let methodNotAllowed = Self(
        name: "method-not-allowed", status: 405, title: "Method not allowed here")
    package static let conflict = Self(name: "conflict", status: 409, title: "Something is in the way")
    package static let reset = Self(name: "reset", status: 410, title: "The journal was reset while this call waited")
    package static let tooLarge = Self(name: "too-large", status: 413, title: "Body too large")
    package static let unsupportedMediaType = Self(
        name: "unsupported-media-type", status: 415, title: "Body must be JSON")
    package static let unclean = Self(
        name: "unclean", status: 417, title: "The namespace was not clean when it was deleted")
    package static let expectationUnmet = Self(name: "expectation-unmet", status: 417, title: "Expectation not met")
    package static let journalTruncated = Self(
        name: "journal-truncated", status: 417, title: "The journal no longer holds what this question is about")
    package static let tooCostly = Self(name: "too-costly", status: 422, title: "More work than one call may be")
    package static let tooManyWaiters = Self(name: "too-many-waiters", status: 429, title: "Too many calls wait")
    package static let tooManyStreams = Self(
        name: "too-many-streams", status: 429, title: "Too many guests read events")
    package static let notReady = Self(name: "not-ready", status: 503, title: "Not ready yet")
    package static let unavailable = Self(name: "unavailable", status: 503, title: "Not available now")
    package static let stopping = Self(name: "stopping", status: 503, title: "The server stops")

    /// All rows, in the order of their status.
    package static let all: [ProblemKind] = [
        unknownParameter, badValue, badBody, unauthorized, foreignHost, foreignOrigin, unknownRoute, unknownNamespace,
        notFound, methodNotAllowed, conflict, reset, tooLarge, unsupportedMediaType, unclean, expectationUnmet,
        journalTruncated, tooCostly, tooManyWaiters, tooManyStreams, notReady, unavailable, stopping,
    ]

    package static func == (left: ProblemKind, right: ProblemKind) -> Bool {
        left.name.description == right.name.description
    }
}
