import APNs
import JSON
import Simulation

/// The state of a namespace as a document: taken out, and put in.
enum StateTransfer {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/state", .state, "Keys, devices, rules and settings, in the schema of the configuration file.",
            details: "Saved as a file it can be given to `--config`. Entries of the journal are not in it.",
            answers: [AdminRoute.Answer(200, "The state; that of `default` holds the other namespaces.")],
            examples: [AdminRoute.Example("Save it", "/v1/state")], handler: take),
        AdminRoute(
            .put, "/v1/state", .state,
            "Put keys, devices, rules, apps and namespaces in the place of those that are there.",
            details: """
                What is not named stays as it is. A namespace that is named is made anew, with an empty journal and without \
                the port and the end that the one before had; others stay. Profile, seed and what becomes of unknown \
                devices and keys are settled at the start: other values than the present ones are refused. \
                `POST /v1/reset` goes back to the start, not to this.
                """,
            body: StateFields.server,
            answers: [
                AdminRoute.Answer(200, "The state as it is now."),
                AdminRoute.Answer(
                    409, "A setting that cannot change, or there would be too many of something.", .problem),
            ],
            examples: [
                AdminRoute.Example(
                    "One device, no rules", "/v1/state",
                    body: ##"{"devices": [{"token": "\##(String(repeating: "6f1e", count: 16))"}], "rules": []}"##)
            ], handler: put),
    ]

    private static func take(_ call: AdminCall) throws(Problem) -> Answering {
        .now(AdminResponse(.json, StateWriter(call.worlds).json(call.namespace)))
    }

    private static func put(_ call: AdminCall) throws(Problem) -> Answering {
        let clock = call.simulator.clock.now()
        let state = try StateReader(now: clock.server).read(call.request.body)
        try check(state, call.namespace)
        if state.namespaces != nil, call.namespace !== call.worlds.main {
            throw Problem(
                .badBody, "The member \"namespaces\" is good in the state of the default namespace only.",
                hint: "PUT /v1/state takes it.")
        }
        try check(state.namespaces ?? [], call.worlds)
        try apply(state, to: call.simulator)
        for named in state.namespaces ?? [] {
            if let old = call.worlds.remove(named.order.name) { call.environment.listeners.close(old) }
            do throws(Worlds.Refusal) {
                _ = try call.worlds.add(named.order, now: clock.machine)
            } catch {
                throw NamespaceResource.conflict(error, named.order.name)
            }
        }
        return .now(AdminResponse(.json, StateWriter(call.worlds).json(call.namespace)))
    }

    /// Settings are those of the start.
    private static func check(_ state: WorldState, _ namespace: Namespace) throws(Problem) {
        let present = namespace.simulator.configuration
        func text(_ accepts: Bool) -> String { accepts ? "accept" : "reject" }
        let settings: [(String, String?, String)] = [
            ("profile", state.profile?.rawValue, present.profile.rawValue),
            ("seed", state.seed.map { String($0) }, String(namespace.seed)),
            ("unknownDevices", state.acceptsUnknownDevices.map(text), text(present.acceptsUnknownDevices)),
            ("unknownKeys", state.acceptsUnknownKeys.map(text), text(present.acceptsUnknownKeys)),
        ]
        for (name, wanted, now) in settings {
            guard let wanted, wanted != now else { continue }
            throw Problem(
                .conflict, "The setting \(quoted(name)) is \(quoted(now)) and cannot become \(quoted(wanted)) now.",
                hint: "Leave it out, start the server with it, or make a namespace with it (POST /v1/namespaces).")
        }
    }

    /// Whatever keeps the namespaces from being made beside those that stay, before anything is changed.
    private static func check(_ named: [WorldState.Named], _ worlds: Worlds) throws(Problem) {
        let names = Set(named.map(\.order.name))
        let staying = worlds.others.filter { !names.contains($0.name) }
        for order in named.map(\.order) {
            guard staying.count + names.count < Worlds.limit else {
                throw NamespaceResource.conflict(.full, order.name)
            }
            for other in staying {
                guard let topic = order.topics.first(where: { topic in other.topics.contains { $0.text == topic } })
                else { continue }
                throw NamespaceResource.conflict(.topicClaimed(topic, by: other.name), order.name)
            }
        }
    }

    private static func apply(_ state: WorldState, to simulator: Simulator) throws(Problem) {
        if let rules = state.rules {
            do throws(Script.Refusal) {
                try simulator.script.replace(.rules, with: rules)
            } catch {
                if case .tooCostly(let cost) = error { throw RuleResource.tooCostly(cost) }
                let words =
                    switch error {
                    case .taken(let id): "Two rules have the id \(quoted(id))."
                    case .tooCostly(let cost): cost.words
                    case .full: "There would be too many rules; expected at most \(Script.ruleLimit)."
                    }
                throw Problem(.conflict, words)
            }
        }
        if let keys = state.keys { simulator.keys.replace(with: keys) }
        if let devices = state.devices { simulator.devices.replace(with: devices) }
        if let apps = state.apps { simulator.apps.replace(with: apps) }
    }
}
