/// The path of a request, without the namespace it may begin with: `/v1/ns/default/cursor` is `/v1/cursor` of `default`.
package struct Target: Sendable {
    /// The namespace that paths without one act on.
    package static let defaultNamespace = "default"

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
            namespace = Self.defaultNamespace
            segments = all
        }
    }

    /// Refuses a namespace that does not exist.
    package func checkNamespace() throws(Problem) {
        if namespace == Self.defaultNamespace { return }
        throw Problem(
            .unknownNamespace, "There is no namespace \(quoted(namespace)); this server has \"default\".",
            hint: "Use /v1/… or /v1/ns/default/… instead.")
    }
}
