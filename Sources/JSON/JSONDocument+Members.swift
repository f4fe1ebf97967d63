extension JSONDocument {
    /// The first value in an object or array; nil when it is empty or another kind.
    package func firstChild(of element: JSONElement) -> JSONElement? {
        node(element).count > 0 ? JSONElement(node: element.node + 1) : nil
    }

    /// The value after this one in the same object or array.
    package func next(after element: JSONElement) -> JSONElement? {
        let node = node(element)
        guard node.parent >= 0, node.next < nodes[Int(node.parent)].next else { return nil }
        return JSONElement(node: node.next)
    }

    /// The object or array that holds this value; nil for the root.
    package func parent(of element: JSONElement) -> JSONElement? {
        let parent = node(element).parent
        return parent >= 0 ? JSONElement(node: parent) : nil
    }

    /// The first member of this name; nil when there is none or `element` is no object. The name is ASCII.
    package func member(_ name: StaticString, of element: JSONElement) -> JSONElement? {
        unsafe member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: element)
    }

    /// The first member of this name.
    package func member(named name: some StringProtocol, of element: JSONElement) -> JSONElement? {
        let found: JSONElement?? = name.utf8.withContiguousStorageIfAvailable { unsafe member($0, of: element) }
        if let found { return found }
        return unsafe Array(name.utf8).withUnsafeBufferPointer { unsafe member($0, of: element) }
    }

    private func member(_ name: UnsafeBufferPointer<UInt8>, of element: JSONElement) -> JSONElement? {
        guard kind(element) == .object else { return nil }
        var next = firstChild(of: element)
        while let child = next {
            if unsafe isName(of: node(child), name) { return child }
            next = self.next(after: child)
        }
        return nil
    }

    private func isName(of node: JSONNode, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        if node.flags.contains(.escapedName) { return unsafe self.name(node).elementsEqual(name) }
        let start = Int(node.nameStart)
        let count = name.count
        guard Int(node.nameEnd) - start == count else { return false }
        for index in 0..<count where unsafe storage[start + index] != name[index] { return false }
        return true
    }

    /// The values of an object or array in order; each member's name is `key(of:)`.
    package func children(of element: JSONElement) -> [JSONElement] {
        var result: [JSONElement] = []
        result.reserveCapacity(count(of: element))
        var next = firstChild(of: element)
        while let child = next {
            result.append(child)
            next = self.next(after: child)
        }
        return result
    }

    /// How many values an object or array holds.
    package func count(of element: JSONElement) -> Int { Int(node(element).count) }

    /// The name of a member, unescaped; nil when the value is not an object's member.
    package func key(of element: JSONElement) -> String? {
        let node = node(element)
        return node.isMember ? String(decoding: name(node), as: UTF8.self) : nil
    }

    /// The bytes of a member from the quotation mark of its name to the end of its value, in the coordinates of the
    /// array given to `parse`; of any other value what `range` gives.
    package func memberRange(_ element: JSONElement) -> Range<Int> {
        let node = node(element)
        let start = node.isMember ? Int(node.nameStart) - 1 : Int(node.start)
        return origin + start..<origin + Int(node.end)
    }
}
