extension JSONDocument {
    /// Members whose name occurred before in the same object.
    package var duplicates: [JSONElement] {
        guard hasDuplicates else { return [] }
        return (0..<Int32(nodeCount)).lazy.map(JSONElement.init).filter { node($0).flags.contains(.duplicate) }
    }

    /// Whether the name of a member occurred before in the same object.
    package func isDuplicate(_ member: JSONElement) -> Bool { node(member).flags.contains(.duplicate) }

    /// Finds duplicate names in the objects that the scan left unchecked.
    ///
    /// A hash table per object keeps the cost in proportion to the text: a hostile payload of a thousand names, or of
    /// names made to collide, costs no more than others do, for the hash is seeded in each process.
    mutating func compareNames() {
        for index in 0..<nodeCount where nodes[index].flags.contains(.unchecked) {
            compareNames(of: JSONElement(node: Int32(index)), count: Int(nodes[index].count))
        }
    }

    private mutating func compareNames(of object: JSONElement, count: Int) {
        var size = 32
        while size < count * 2 { size *= 2 }
        if slots.count < size { slots = Array(repeating: 0, count: size) }
        for slot in 0..<size { slots[slot] = 0 }
        var next = firstChild(of: object)
        while let member = next {
            // Slots hold the node's number; 0 is the root, which is no member, and so means free.
            var slot = hash(nameOf: member) & (size - 1)
            var isKnown = false
            while slots[slot] != 0, !isKnown {
                isKnown = haveSameName(JSONElement(node: slots[slot]), member)
                if !isKnown { slot = (slot + 1) & (size - 1) }
            }
            if isKnown {
                nodes[Int(member.node)].flags.insert(.duplicate)
                hasDuplicates = true
            } else {
                slots[slot] = member.node
            }
            next = self.next(after: member)
        }
    }

    private func hash(nameOf member: JSONElement) -> Int {
        let node = node(member)
        var hasher = Hasher()
        let bytes = storage[Int(node.nameStart)..<Int(node.nameEnd)]
        if node.flags.contains(.escapedName) {
            unsafe JSONText.unescaped(bytes).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        } else {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    private func haveSameName(_ first: JSONElement, _ second: JSONElement) -> Bool {
        let (left, right) = (node(first), node(second))
        let leftBytes = storage[Int(left.nameStart)..<Int(left.nameEnd)]
        let rightBytes = storage[Int(right.nameStart)..<Int(right.nameEnd)]
        if left.flags.union(right.flags).contains(.escapedName) {
            return name(left).elementsEqual(name(right))
        }
        return leftBytes.elementsEqual(rightBytes)
    }

    /// The bytes of a member's name without escapes.
    func name(_ node: JSONNode) -> ArraySlice<UInt8> {
        let bytes = storage[Int(node.nameStart)..<Int(node.nameEnd)]
        return node.flags.contains(.escapedName) ? JSONText.unescaped(bytes)[...] : bytes
    }
}
