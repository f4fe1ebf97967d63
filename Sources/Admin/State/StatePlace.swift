package import JSON

/// Where in a text stands what a refusal is about.
package struct StatePlace {
    /// The line, from 1.
    package let line: Int

    /// Follows the path that a refusal begins with (`$.rules[2]: then.reason …`), as far as it leads, and then the member
    /// that the refusal names first.
    package init(_ detail: String, in text: JSON5Text) {
        var document = JSONDocument()
        guard document.parse(text.json) == nil else {
            line = 1
            return
        }
        var element = document.root
        var words = detail[...]
        if detail.hasPrefix("$") {
            let end = detail.firstIndex { $0 == ":" || $0 == " " } ?? detail.endIndex
            element = Self.follow(detail[..<end].dropFirst(), in: document, from: element)
            words = detail[end...].drop { $0 == ":" || $0 == " " }
        }
        element = Self.named(in: words, document, element)
        line = text.place(at: document.memberRange(element).lowerBound).line
    }

    /// The element at `.rules[2].then`, or as far as there is one. A bundle id has dots, so the longest name counts.
    private static func follow(
        _ path: Substring, in document: JSONDocument, from start: JSONElement
    ) -> JSONElement {
        var element = start
        var path = path
        while !path.isEmpty {
            if path.first == "[" {
                let digits = path.dropFirst().prefix { $0 != "]" }
                let children = document.children(of: element)
                guard let place = Int(digits), children.indices.contains(place) else { return element }
                element = children[place]
                path = path.dropFirst(digits.count + 2)
                continue
            }
            if path.first == "." { path.removeFirst() }
            let members = document.children(of: element).compactMap { member in
                document.key(of: member).flatMap { Self.isBegin($0, of: path) ? (member, $0.count) : nil }
            }
            guard let (member, length) = members.max(by: { $0.1 < $1.1 }) else { return element }
            element = member
            path = path.dropFirst(length)
        }
        return element
    }

    private static func isBegin(_ name: String, of path: Substring) -> Bool {
        guard !name.isEmpty, path.hasPrefix(name) else { return false }
        guard let next = path.dropFirst(name.count).first else { return true }
        return next == "." || next == "[" || next == " "
    }

    /// The member that the words name first: in quotation marks, or as a dotted path that they begin with.
    private static func named(in words: Substring, _ document: JSONDocument, _ element: JSONElement) -> JSONElement {
        let quoted = words.split(separator: "\"", omittingEmptySubsequences: false)
        if quoted.count > 2, let member = document.member(named: quoted[1], of: element) { return member }
        return follow(words.prefix { $0 != " " && $0 != ":" && $0 != "," }, in: document, from: element)
    }
}
