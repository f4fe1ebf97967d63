package import Simulation

/// The admin API without a socket: a request in, an answer out, now or later. Confined to its loop.
package final class AdminApplication {
    /// How a guest that leaves takes its waiting call with it.
    package enum Ticket {
        /// A call that waits.
        case waiting(UInt64)
        /// A guest that reads events.
        case reading(UInt64)
        /// A guest that takes an answer which is made meanwhile.
        case taking(UInt64)
    }

    /// The routes.
    package static let table = RouteTable(
        NotificationResource.routes + RequestResource.routes + PreviewResource.routes + RenderingResource.routes
            + ReportResource.routes + ImportResource.routes + EventResource.routes + VerifyResource.routes
            + ExplainResource.routes + SendResource.routes + KeyResource.routes
            + CertificateResource.routes + ChannelResource.routes + DeviceResource.routes + InboxResource.routes
            + ConnectionResource.routes + RuleResource.routes + ChaosResource.routes + TokenResource.routes
            + NamespaceResource.routes + StateTransfer.routes + StateResource.routes + ClockResource.routes
            + ServerResource.routes
            + CatalogueResource.routes + DocumentResource.routes + PageResource.routes + ProbeResource.routes)

    private let worlds: Worlds
    private let environment: AdminEnvironment
    private let loop: any AdminLoop
    private let room: WaitRoom
    private let events: EventRoom
    private let sendings = SendingRoom()
    private let expiry: NamespaceExpiry
    private let gate: RequestGuard
    /// The answers that wait for something that was started.
    private var delayed: [UInt64: (AdminResponse) -> Void] = [:]
    private var lastDelayed: UInt64 = 0
    private let instance: String

    /// The API over one simulator, whose namespace is the default one.
    package convenience init(simulator: Simulator, environment: AdminEnvironment, loop: any AdminLoop) {
        self.init(worlds: Worlds(simulator), environment: environment, loop: loop)
    }

    /// The API over these namespaces.
    package init(worlds: Worlds, environment: AdminEnvironment, loop: any AdminLoop) {
        self.worlds = worlds
        self.environment = environment
        self.loop = loop
        room = WaitRoom(loop: loop)
        expiry = NamespaceExpiry(worlds, loop, environment.listeners)
        events = EventRoom(loop: loop, connections: environment.connections)
        gate = RequestGuard(environment)
        instance = environment.info().instance
    }

    /// How many calls wait.
    package var waiters: Int { room.count }

    /// How many guests read events.
    package var readers: Int { events.count }

    /// Calls `body` as soon as so many calls wait.
    package func testsOnlyWhen(waiters count: Int, _ body: @escaping () -> Void) {
        if room.count >= count { return body() }
        room.testsOnlyOnEnter = { if $0 >= count { body() } }
    }

    /// Whether a request uses the server, and is not only a monitor's look at its health or its counters.
    package static func isUse(_ request: AdminRequest) -> Bool {
        guard let path = try? Target(request.path),
            case .route(let route, _) = table.find(request.method, path.segments)
        else { return true }
        return !route.isProbe && !route.isMonitoring
    }

    /// Answers a request: calls `reply` once, now or later, or `stream` once if the answer goes on. A ticket comes back
    /// while the call waits or is read.
    package func handle(
        _ request: AdminRequest, stream: (() -> any AdminStream)? = nil, reply: @escaping (AdminResponse) -> Void
    ) -> Ticket? {
        let preference = ContentPreference(accept: request.header("accept"), query: request.query)
        do throws(Problem) {
            return try route(request, preference, stream, reply)
        } catch {
            reply(finished(error.response(preference), for: request))
            return nil
        }
    }

    /// Forgets a call whose guest has gone.
    package func leave(_ ticket: Ticket) {
        switch ticket {
        case .waiting(let number): room.leave(number)
        case .reading(let number): events.leave(number)
        case .taking(let number): sendings.leave(number)
        }
    }

    /// Answers every waiting call with 503, and ends every stream.
    package func close() {
        room.close()
        events.close()
    }

    private func route(
        _ request: AdminRequest, _ preference: ContentPreference, _ stream: (() -> any AdminStream)?,
        _ reply: @escaping (AdminResponse) -> Void
    ) throws(Problem) -> Ticket? {
        let path = try Target(request.path)
        let finding = Self.table.find(request.method, path.segments)
        var isProbe = false
        if case .route(let route, _) = finding { isProbe = route.isProbe }
        try gate.check(request, isProbe: isProbe)
        guard case .route(let route, let captures) = finding else {
            reply(finished(try unrouted(request, path, finding), for: request))
            return nil
        }
        let namespace = try path.find(in: worlds)
        let call = AdminCall(
            request: request, query: try Query(request.query, of: route), captures: captures, preference: preference,
            worlds: worlds, namespace: namespace, environment: environment, waiters: room.count, readers: events.count)
        switch try route.handler(call) {
        case .now(let response):
            reply(finished(response, for: request, namespace))
            if let type = route.tells, response.status < 300 {
                let isJSON = response.header("content-type") == AdminResponse.MediaType.json.rawValue
                events.tell(type, data: isJSON ? response.body : Array("{}".utf8), in: call.journal)
            }
        case .nowThen(let response, let action):
            reply(finished(response, for: request, namespace))
            action()
        case .later(let start):
            finishLater(start, call, reply)
        case .ask(let question):
            return try ask(question, call, reply)
        case .verify(let question):
            return try verify(question, call, reply)
        case .pieces(let type, let next):
            let isHead = request.method == AdminMethod.head.rawValue
            let head = finished(AdminResponse(type, []), for: request, namespace)
            return try send(next, head, isHead ? nil : stream, reply)
        case .stream(let question):
            let head = finished(AdminResponse(question.form.type, []), for: request, namespace)
            // Of a stream, a HEAD request gets the head, and so does a guest that cannot have more.
            guard let stream, request.method != AdminMethod.head.rawValue else {
                reply(head)
                return nil
            }
            let version = environment.info().version
            return .reading(
                try events.enter(question, call.journal, stream(), head, version: version, instance: instance))
        }
        expiry.arm()
        return nil
    }

    /// Answers in pieces; a guest that cannot have them gets the whole at once.
    private func send(
        _ next: @escaping () -> [UInt8]?, _ head: AdminResponse, _ stream: (() -> any AdminStream)?,
        _ reply: @escaping (AdminResponse) -> Void
    ) throws(Problem) -> Ticket? {
        if let stream { return .taking(try sendings.enter(stream(), head, next)) }
        var whole = head
        while let piece = next() { whole.body += piece }
        reply(whole)
        return nil
    }

    /// Answers when what was started has ended; the guest may have gone by then.
    private func finishLater(
        _ start: (@escaping @Sendable (AdminResponse) -> Void) -> Void, _ call: AdminCall,
        _ reply: @escaping (AdminResponse) -> Void
    ) {
        let (request, namespace) = (call.request, call.namespace)
        lastDelayed += 1
        let number = lastDelayed
        delayed[number] = { [unowned self] in reply(finished($0, for: request, namespace)) }
        let (post, application) = (loop.post, LoopConfined(self))
        start { response in
            post { application.value?.delayed.removeValue(forKey: number)?(response) }
        }
    }

    private func ask(
        _ question: ListQuestion, _ call: AdminCall, _ reply: @escaping (AdminResponse) -> Void
    ) throws(Problem) -> Ticket? {
        let journal = call.journal
        let answer = ListAnswer(question, journal, call.environment, preference: call.preference)
        let (request, namespace) = (call.request, call.namespace)
        let wait = ListWait(question) { [weak self] result in
            guard let self else { return }
            reply(self.finished(answer.response(result), for: request, namespace))
        }
        return try room.enter(wait, journal).map { .waiting($0) }
    }

    private func verify(
        _ question: VerifyQuestion, _ call: AdminCall, _ reply: @escaping (AdminResponse) -> Void
    ) throws(Problem) -> Ticket? {
        let answer = VerifyAnswer(question, call.journal, call.environment, preference: call.preference)
        let (request, namespace) = (call.request, call.namespace)
        let wait = VerifyWait(question, call.journal) { [weak self] result in
            guard let self else { return }
            reply(self.finished(answer.response(result), for: request, namespace))
        }
        return try room.enter(wait, call.journal).map { .waiting($0) }
    }

    /// The answer to a method or path without a route.
    private func unrouted(
        _ request: AdminRequest, _ target: Target, _ finding: RouteTable.Finding
    ) throws(Problem) -> AdminResponse {
        switch finding {
        case .otherMethods(let methods):
            let allow = methods.map(\.rawValue).joined(separator: ", ")
            if request.method == AdminMethod.options.rawValue {
                return AdminResponse(status: 204, headers: [("allow", allow)])
            }
            var problem = Problem(
                .methodNotAllowed, "\(quoted(request.method)) is not a method of \(target.path); expected \(allow).")
            problem.headers = [("allow", allow)]
            throw problem
        case .unknown(let nearest):
            if gate.isPreflight(request) { return AdminResponse(status: 204) }
            throw Problem(
                .unknownRoute, "There is no route \(quoted(request.path)).",
                hint: nearest.map { "Did you mean \($0.method.rawValue) \($0.pattern)? GET / lists all routes." }
                    ?? "GET / lists all routes.")
        case .route: return AdminResponse(status: 204)
        }
    }

    /// The answer with what every answer has. To a HEAD request the HTTP/1.1 server sends its head alone.
    private func finished(
        _ response: AdminResponse, for request: AdminRequest, _ namespace: Namespace? = nil
    ) -> AdminResponse {
        var response = response
        if response.header(AdminResponse.cursorField) == nil {
            let journal = (namespace ?? worlds.main).simulator.journal
            response.headers.append((AdminResponse.cursorField, String(journal.cursor)))
        }
        response.headers += [("mock-apns-instance", instance), ("x-content-type-options", "nosniff")]
        if response.header("cache-control") == nil { response.headers.append(("cache-control", "no-store")) }
        response.headers += gate.crossOriginFields(request)
        return response
    }
}
