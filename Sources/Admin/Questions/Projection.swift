package import JSON
import Simulation

/// Which members of an item are shown (`fields=id,payload.aps.alert`).
package struct Projection: Sendable {
    /// The members at one level; an empty node stands for the whole value.
    private final class Node: Sendable {
        let members: [(name: String, node: Node)]

        init(_ paths: [[Substring]]) {
            var grouped: [(name: Substring, rest: [[Substring]], isWhole: Bool)] = []
            for path in paths {
                guard let name = path.first else { continue }
                let rest = Array(path.dropFirst())
                let index = grouped.firstIndex { $0.name == name } ?? grouped.count
                if index == grouped.count { grouped.append((name, [], false)) }
                grouped[index].rest.append(rest)
                if rest.isEmpty { grouped[index].isWhole = true }
            }
            members = grouped.map { (String($0.name), Node($0.isWhole ? [] : $0.rest)) }
        }
    }

    private let root: Node

    /// The projection of these dotted names.
    package init(_ names: [String]) {
        root = Node(names.map { $0.split(separator: ".") })
    }

    /// Reads `fields`; nil without it.
    init?(_ values: some ParameterValues) throws(Problem) {
        let names = try values.list(ListParameters.fields)
        if names.isEmpty { return nil }
        for name in names {
            let top = String(name.prefix { $0 != "." })
            guard Self.known.contains(top) else {
                throw values.refusal(
                    ListParameters.fields, name,
                    hint: NearestName.of(top, among: Self.known).map { "Did you mean \(quoted($0))?" }
                        ?? "An item has \(Self.known.joined(separator: ", ")).")
            }
        }
        self.init(names)
    }

    /// The members that an item can have.
    package static let known = [
        "apnsId", "apnsUniqueId", "auth", "broken", "channel", "collapseId", "connection", "device", "display",
        "environment", "expiration", "findings", "headers", "id", "kind", "links", "namespace", "operation",
        "outcome", "payload", "payloadBase64", "payloadBytes", "payloadCut", "payloadLimit", "payloadText", "priority",
        "profile", "pushType", "receivedAt",
        "rejection", "response", "rule", "seq", "serverTime", "state", "topic",
    ]

    /// Writes the shown members of an item that is JSON already.
    package func write(_ item: [UInt8], to writer: inout JSONWriter) {
        var document = JSONDocument()
        guard document.parse(item, in: item.indices) == nil else { return writer.null() }
        write(document.root, of: document, item, root, to: &writer)
    }

    private func write(
        _ element: JSONElement, of document: JSONDocument, _ bytes: [UInt8], _ node: Node, to writer: inout JSONWriter
    ) {
        switch document.kind(element) {
        case .object where !node.members.isEmpty:
            writer.beginObject()
            for (name, inner) in node.members {
                guard let member = document.member(named: name, of: element) else { continue }
                writer.key(dynamic: name)
                write(member, of: document, bytes, inner, to: &writer)
            }
            writer.endObject()
        case .array where !node.members.isEmpty:
            writer.beginArray()
            for child in document.children(of: element) { write(child, of: document, bytes, node, to: &writer) }
            writer.endArray()
        default:
            unsafe bytes[document.range(element)].withUnsafeBytes { unsafe writer.raw($0) }
        }
    }
}
