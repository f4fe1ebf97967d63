import APNs
import JSON
import Simulation
import TLS

/// Reads a state from JSON; whatever is wrong is refused with its place.
package struct StateReader: Sendable {
    /// Reads a file that a key names, from where the state is.
    package typealias FileReader = @Sendable (String) throws(Problem) -> [UInt8]

    /// The server's clock, in milliseconds since 1970.
    private let now: Int64
    private let file: FileReader?

    /// A reader at a time of the server's clock; without `file` no key may name a file.
    package init(now: Int64, file: FileReader? = nil) {
        self.now = now
        self.file = file
    }

    /// Reads the state of a server, or of one namespace.
    package func read(_ bytes: [UInt8]) throws(Problem) -> WorldState {
        try read(bytes, StateFields.server)
    }

    private func read(_ bytes: [UInt8], _ fields: [Parameter]) throws(Problem) -> WorldState {
        let body = try BodyFields(bytes, fields)
        var state = WorldState()
        state.profile = try body.word(StateFields.profile).flatMap { Profile(rawValue: $0) }
        state.seed = try body.integer(StateFields.seed).map { UInt64($0) }
        state.acceptsUnknownDevices = try body.word(StateFields.unknownDevices).map { $0 == "accept" }
        state.acceptsUnknownKeys = try body.word(StateFields.unknownKeys).map { $0 == "accept" }
        state.keys = try list(StateFields.keys, body) { element throws(Problem) in try key(element) }
        state.devices = try list(StateFields.devices, body) { element throws(Problem) in try devices(element) }?
            .flatMap(\.self)
        state.rules = try rules(body)
        state.apps = try apps(body)
        state.namespaces = try list(StateFields.namespaces, body) { element throws(Problem) in try namespace(element) }
        try check(state)
        return state
    }

    // MARK: Elements

    /// What an array holds; each element is read by itself, and a refusal names its place.
    private func list<Value>(
        _ field: Parameter, _ body: BodyFields, _ read: ([UInt8]) throws(Problem) -> Value
    ) throws(Problem) -> [Value]? {
        guard body.has(field), let member = body.members[field.name] else { return nil }
        guard body.document.kind(member) == .array else {
            throw body.bad(field, body.document.written(member, limit: 80))
        }
        var values: [Value] = []
        for (index, element) in body.document.children(of: member).enumerated() {
            let bytes = Array(body.document.written(element).utf8)
            values.append(try at("\(field.name)[\(index)]") { () throws(Problem) in try read(bytes) })
        }
        return values
    }

    /// Adds its place to a refusal.
    private func at<Value>(_ place: String, _ read: () throws(Problem) -> Value) throws(Problem) -> Value {
        do throws(Problem) {
            return try read()
        } catch {
            var problem = error
            let isDeeper = problem.detail.hasPrefix("$.")
            problem.detail = "$.\(place)" + (isDeeper ? problem.detail.dropFirst() : ": " + problem.detail[...])
            throw problem
        }
    }

    private func key(_ bytes: [UInt8]) throws(Problem) -> KeyStore.Key {
        let body = try BodyFields(bytes, StateFields.key)
        var text: String?
        if let path = try body.text(StateFields.file) {
            guard let file else {
                throw Problem(.badBody, "The member \"file\" is good in a configuration file only; expected \"p8\".")
            }
            text = String(decoding: try file(path), as: UTF8.self)
        }
        if text == nil, !body.has(KeyResource.p8), !body.has(KeyResource.publicKey) {
            throw Problem(.badBody, "The key has none of \"file\", \"p8\" and \"publicKey\"; expected one of them.")
        }
        guard let id = try KeyResource.identifier(body, KeyResource.keyID) else {
            throw Problem(.badBody, "The key has no \"keyId\"; expected \(KeyResource.keyID.expected).")
        }
        let pair = try KeyResource.keyPair(body, file: text)
        var key = KeyStore.Key(
            keyID: id, teamID: "MOCKTEAM01", key: pair.publicKey, privateKey: pair.privateKey)
        try KeyResource.scope(body)(&key)
        key.isRevoked = try body.boolean(KeyResource.revoked) ?? false
        return key
    }

    private func devices(_ bytes: [UInt8]) throws(Problem) -> [Device] {
        let body = try BodyFields(bytes, DeviceFields.registration + StateFields.shownOfDevices)
        guard let tokens = try DeviceFields.tokens(body) else {
            throw Problem(.badBody, "The device has no \"token\"; expected \(DeviceFields.token.expected).")
        }
        let change = try DeviceFields.change(body, now: now, cursor: 0)
        return tokens.map { token in
            var device = Device(token: token, now: now)
            change(&device)
            return device
        }
    }

    private func rules(_ body: BodyFields) throws(Problem) -> [Rule]? {
        let field = StateFields.rules
        guard body.has(field), let member = body.members[field.name] else { return nil }
        guard body.document.kind(member) == .array else {
            throw body.bad(field, body.document.written(member, limit: 80))
        }
        var rules: [Rule] = []
        for (index, element) in body.document.children(of: member).enumerated() {
            do throws(RuleError) {
                let reader = RuleReader(now: now, path: "$.rules[\(index)]", takesPast: true)
                rules.append(try reader.rule(body.document, element, id: "rule-\(index + 1)"))
            } catch {
                throw Problem(
                    .badBody, error.words(at: "$.rules[\(index)]"),
                    hint: error.suggestion.map { "Did you mean \(quoted($0))?" })
            }
            guard rules.count <= Script.ruleLimit else { break }
            do throws(Script.Cost) { try Script.check(cost: rules) } catch { throw RuleResource.tooCostly(error) }
        }
        return rules
    }

    private func apps(_ body: BodyFields) throws(Problem) -> [AppFacts]? {
        let field = StateFields.apps
        guard body.has(field), let member = body.members[field.name] else { return nil }
        guard body.document.kind(member) == .object else {
            throw body.bad(field, body.document.written(member, limit: 80))
        }
        var apps: [AppFacts] = []
        for element in body.document.children(of: member) {
            var app = AppFacts(bundleID: body.document.key(of: element) ?? "")
            let bytes = Array(body.document.written(element).utf8)
            try at("apps.\(app.bundleID)") { () throws(Problem) in
                let facts = try BodyFields(bytes, StateFields.app)
                app.name = try facts.text(StateFields.appName)
                app.icon = try facts.text(StateFields.appIcon)
                app.strings = try facts.text(StateFields.appStrings)
                try readFiles(of: &app)
            }
            apps.append(app)
        }
        return apps
    }

    /// The files that an app names; a state from the API names them only.
    private func readFiles(of app: inout AppFacts) throws(Problem) {
        guard let file else { return }
        if let path = app.strings {
            let bytes = try file(path)
            do throws(StringsFile.Fault) {
                app.texts = try StringsFile(bytes).texts
            } catch {
                throw Problem(.badBody, "The file \(quoted(path)) of \"strings\" is no strings file: \(error).")
            }
        }
        if let path = app.icon {
            let bytes = try file(path)
            guard bytes.count <= IconImage.maxBytes, let url = IconImage.url(bytes) else {
                throw Problem(
                    .badBody,
                    "The file \(quoted(path)) of \"icon\" has \(bytes.count) bytes and cannot be shown; expected "
                        + "a PNG, JPEG, GIF or WebP of at most \(IconImage.maxBytes) bytes.")
            }
            app.iconURL = url
        }
    }

    private func namespace(_ bytes: [UInt8]) throws(Problem) -> WorldState.Named {
        let body = try BodyFields(bytes, StateFields.namespace)
        guard let name = try body.text(NamespaceResource.name) else {
            throw Problem(.badBody, "The namespace has no \"name\"; expected \(Namespace.nameForm).")
        }
        guard Namespace.isName(name), name != Namespace.defaultName else {
            throw body.bad(NamespaceResource.name, name)
        }
        let state = try read(bytes, StateFields.namespace)
        var order = NamespaceOrder(name)
        order.topics = try body.texts(NamespaceResource.topics) ?? []
        order.lifetimeMilliseconds = try body.duration(NamespaceResource.lifetime)
        order.profile = state.profile
        order.seed = state.seed
        order.keys = state.keys ?? []
        order.devices = state.devices ?? []
        order.rules = state.rules ?? []
        order.apps = state.apps ?? []
        order.acceptsUnknownDevices = state.acceptsUnknownDevices
        order.acceptsUnknownKeys = state.acceptsUnknownKeys
        return WorldState.Named(order: order, state: state)
    }
}
