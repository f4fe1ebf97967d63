import JSON

/// Two content states of a Live Activity, value by value.
enum StateDifference {
    /// How many rows there are at most.
    static let rowLimit = 64
    /// How many bytes of a value are shown.
    static let valueLimit = 200

    /// The values of a state in their order, each with what it was before; those that are gone come last.
    static func rows(_ state: [UInt8]?, before: [UInt8]?) -> [PreviewActivity.Row] {
        let (values, earlier) = (values(state), values(before))
        var rows = values.map { value in
            let old = earlier.first { $0.path == value.path }?.text
            return PreviewActivity.Row(
                path: value.path, value: value.text, before: old,
                change: old.map { $0 == value.text ? .same : .changed } ?? (before == nil ? .same : .added))
        }
        for value in earlier where !values.contains(where: { $0.path == value.path }) && state != nil {
            rows.append(PreviewActivity.Row(path: value.path, before: value.text, change: .removed))
        }
        return Array(rows.prefix(rowLimit))
    }

    private static func values(_ bytes: [UInt8]?) -> [(path: String, text: String)] {
        var document = JSONDocument()
        guard let bytes, document.parse(bytes) == nil else { return [] }
        var values: [(path: String, text: String)] = []
        collect(document.root, in: document, path: "", &values)
        return values
    }

    /// Goes into objects, which the scanner has bounded in depth; arrays are one value.
    private static func collect(
        _ element: JSONElement, in document: JSONDocument, path: String, _ values: inout [(path: String, text: String)]
    ) {
        guard values.count < rowLimit else { return }
        guard document.kind(element) == .object, document.count(of: element) > 0 else {
            values.append((path, document.written(element, limit: valueLimit)))
            return
        }
        for member in document.children(of: element) {
            let name = document.key(of: member) ?? ""
            collect(member, in: document, path: path.isEmpty ? name : "\(path).\(name)", &values)
        }
    }
}
