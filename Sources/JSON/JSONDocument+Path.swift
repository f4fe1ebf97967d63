extension JSONDocument {
    /// The value at a dotted path (`aps.alert.title`, `items.0.sku`) from the root; nil when there is none.
    ///
    /// A name may itself hold dots: the longest name that fits is tried first, and `\.` in the path is always part of
    /// a name. In an array a part is the place, from 0.
    package func element(at path: some StringProtocol) -> JSONElement? {
        guard isValid else { return nil }
        let path = Array(path.utf8)
        return path.isEmpty ? root : element(at: path[...], of: root)
    }

    /// Each turn goes one level down, so the depth of the document bounds the recursion.
    private func element(at path: ArraySlice<UInt8>, of element: JSONElement) -> JSONElement? {
        switch kind(element) {
        case .object:
            var candidates: [(member: JSONElement, rest: ArraySlice<UInt8>?)] = []
            var next = firstChild(of: element)
            while let member = next {
                next = self.next(after: member)
                guard let end = JSONDocument.end(of: name(node(member)), in: path) else { continue }
                // What is left: nil at the end of the path.
                candidates.append((member, end == path.endIndex ? nil : path[(end + 1)...]))
            }
            // The longest name first; among equal names the first member, as in `member`.
            candidates.sort { ($0.rest?.count ?? -1, $0.member.node) < ($1.rest?.count ?? -1, $1.member.node) }
            for (member, rest) in candidates {
                guard let rest else { return member }
                if let found = self.element(at: rest, of: member) { return found }
            }
            return nil
        case .array:
            let digits = path.prefix { $0 != 0x2E }
            guard let place = Int(String(decoding: digits, as: UTF8.self)), place >= 0, place < count(of: element),
                digits.first != 0x2B, digits.first != 0x2D
            else { return nil }
            var next = firstChild(of: element)
            for _ in 0..<place { next = next.flatMap { self.next(after: $0) } }
            guard let child = next, digits.endIndex < path.endIndex else { return next }
            return self.element(at: path[(digits.endIndex + 1)...], of: child)
        default:
            return nil
        }
    }

    /// Where `name` ends at the beginning of `path`: at its end or before a dot; nil when it is not there.
    private static func end(of name: ArraySlice<UInt8>, in path: ArraySlice<UInt8>) -> Int? {
        var index = path.startIndex
        for byte in name {
            if index < path.endIndex, path[index] == 0x5C, index + 1 < path.endIndex,
                path[index + 1] == 0x2E || path[index + 1] == 0x5C
            {
                index += 1
            }
            guard index < path.endIndex, path[index] == byte else { return nil }
            index += 1
        }
        return index == path.endIndex || path[index] == 0x2E ? index : nil
    }

    /// The dotted path that leads to a value; dots and backslashes in names are escaped.
    package func path(to element: JSONElement) -> String {
        var parts: [String] = []
        var current = element
        while let parent = parent(of: current) {
            if kind(parent) == .array {
                var place = 0
                var next = firstChild(of: parent)
                while let child = next, child != current {
                    place += 1
                    next = self.next(after: child)
                }
                parts.append(String(place))
            } else {
                parts.append(JSONDocument.pathPart(name: name(node(current))))
            }
            current = parent
        }
        return parts.reversed().joined(separator: ".")
    }

    private static func pathPart(name: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        for byte in name {
            if byte == 0x2E || byte == 0x5C { bytes.append(0x5C) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
