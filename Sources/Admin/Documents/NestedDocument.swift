import JSON

/// A JSON document whose parts are written by functions that nest as its objects do.
protocol NestedDocument {
    /// What was written so far.
    var writer: JSONWriter { get set }
}

extension NestedDocument {
    /// An object with what the function writes in it.
    mutating func object(_ body: (inout Self) -> Void) {
        writer.beginObject()
        body(&self)
        writer.endObject()
    }

    /// A member that is an object.
    mutating func key(_ name: StaticString, _ body: (inout Self) -> Void) {
        writer.key(name)
        object(body)
    }

    /// An array of what the function writes for each element.
    mutating func array<Element>(_ elements: some Sequence<Element>, _ body: (inout Self, Element) -> Void) {
        writer.beginArray()
        for element in elements { body(&self, element) }
        writer.endArray()
    }

    /// A member that is a text.
    mutating func member(_ name: StaticString, _ value: String) {
        writer.key(name)
        writer.string(value)
    }

    /// A member that is an array of texts.
    mutating func strings(_ name: StaticString, _ values: [String]) {
        writer.key(name)
        array(values) { $0.writer.string($1) }
    }
}
