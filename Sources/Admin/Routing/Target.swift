package import Simulation

/// The path of a request, without the namespace it may begin with: `/v1/ns/default/cursor` is `/v1/cursor` of `default`.
package struct Target: Sendable {
    /// The path as it arrived.
    package let path: String
    /// The decoded segments, without the namespace.
    package let segments: [String]
    /// The namespace meant.
    package let namespace: String

    /// Reads a path.
    package init(_ path: String) throws(Problem) {
        self.path = path
        guard path.hasPrefix("/"), let all = PathPattern.segments(path) else {
            throw Problem(
                .unknownRoute, "The path \(quoted(path)) is not percent-encoded UTF-8 that begins with a slash.")
        }
        if all.count >= 3, all[0] == "v1", all[1] == "ns" {
            namespace = all[2]
            segments = ["v1"] + all[3...]
        } else {
            namespace = Namespace.defaultName
            segments = all
        }
    }

    /// The namespace meant; refuses one that does not exist.
    package func find(in worlds: Worlds) throws(Problem) -> Namespace {
        if let found = worlds.namespace(named: namespace) { return found }
        throw Self.unknown(namespace, in: worlds)
    }

    /// The refusal of a namespace that does not exist.
    package static func unknown(_ name: String, in worlds: Worlds) -> Problem {
        let nearest = NearestName.of(name, among: worlds.all.map(\.name))
        return Problem(
            .unknownNamespace, "There is no namespace \(quoted(name)).",
            hint: nearest.map { "Did you mean \(quoted($0))?" } ?? "GET /v1/namespaces lists all.")
    }
}
