/// One row of the route table: how it is called, what it does, and who does it.
///
/// Dispatch, the answers 404 and 405, the index page, `/openapi.json` and the reference in docs/admin-api.md are all
/// made from these rows.
package struct AdminRoute: Sendable {
    /// The chapters of the reference.
    package enum Group: String, Sendable, CaseIterable {
        case notifications = "Notifications"
        case requests = "The inspection log"
        case keys = "Keys and certificates"
        case channels = "Channels"
        case devices = "Devices"
        case rules = "Scripted outcomes"
        case namespaces = "Namespaces"
        case state = "State"
        case server = "The server"
        case catalogues = "Catalogues"
        case documents = "Documents"
        case probes = "Probes"
    }

    /// An answer the route may give besides those that every route has.
    package struct Answer: Sendable {
        package let status: Int
        package let meaning: String
        package let type: AdminResponse.MediaType?

        package init(_ status: Int, _ meaning: String, _ type: AdminResponse.MediaType? = .json) {
            self.status = status
            self.meaning = meaning
            self.type = type
        }
    }

    /// A call that works as it stands; a test makes each.
    package struct Example: Sendable {
        /// What it is for.
        package let title: String
        /// The target; `$NAME` stands for a shell variable.
        package let target: String
        package let accept: String?
        package let body: String?
        /// The status that the example has in a server that has received one push.
        package let status: Int

        package init(_ title: String, _ target: String, accept: String? = nil, body: String? = nil, status: Int = 200) {
            self.title = title
            self.target = target
            self.accept = accept
            self.body = body
            self.status = status
        }
    }

    /// Answers a call.
    package typealias Handler = @Sendable (AdminCall) throws(Problem) -> Answering

    package let method: AdminMethod
    package let pattern: PathPattern
    package let group: Group
    /// One line.
    package let summary: String
    /// Markdown for the reference; may be empty.
    package let details: String
    package let parameters: [Parameter]
    /// Whether names that begin with `aps.`, `payload.` or `header.` are parameters too.
    package let takesPaths: Bool
    /// The members of the JSON body; nil when the route takes no body.
    package let body: [Parameter]?
    package let answers: [Answer]
    package let examples: [Example]
    /// Whether the admin token is not asked for: health checks have none, and the web page asks people for it itself.
    package let isProbe: Bool
    /// Whether a call is only a monitor's look, which does not keep an idle server from ending (`--idle-exit`); health checks
    /// are, too.
    package let isMonitoring: Bool
    /// The event that tells others of a successful call; its data are the answer.
    package let tells: EventType?
    package let handler: Handler

    /// A row.
    package init(
        _ method: AdminMethod, _ pattern: String, _ group: Group, _ summary: String, details: String = "",
        parameters: [Parameter] = [], takesPaths: Bool = false, body: [Parameter]? = nil, answers: [Answer],
        examples: [Example] = [], isProbe: Bool = false, isMonitoring: Bool = false, tells: EventType? = nil,
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = PathPattern(pattern)
        self.group = group
        self.summary = summary
        self.details = details
        self.parameters = parameters
        self.takesPaths = takesPaths
        self.body = body
        self.answers = answers
        self.examples = examples
        self.isProbe = isProbe
        self.isMonitoring = isMonitoring
        self.tells = tells
        self.handler = handler
    }
}
