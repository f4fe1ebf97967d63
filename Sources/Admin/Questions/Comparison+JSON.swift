import JSON
import Simulation

extension Matcher.Comparison {
    /// Adds the members `agree` and `differ`.
    static func write(agree: [String], differ: [Difference], to writer: inout JSONWriter) {
        writer.key("agree")
        writer.beginArray()
        for field in agree { writer.string(field) }
        writer.endArray()
        writer.key("differ")
        writer.beginArray()
        for difference in differ {
            writer.beginObject()
            writer.key("field")
            writer.string(difference.field)
            writer.key("expected")
            writer.string(difference.expected)
            writer.key("actual")
            writer.string(difference.actual)
            writer.endObject()
        }
        writer.endArray()
    }
}
