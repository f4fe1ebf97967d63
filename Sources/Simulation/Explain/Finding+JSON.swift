import APNs
import JSON

/// A finding as JSON.
extension Finding {
    /// Adds the finding as an object, with the members that entries have too; with its place in a file where there is one.
    func write(place: PayloadReport.Place?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.string(constant: code.code)
        writer.key("severity")
        writer.string(code.severity.rawValue)
        writer.key("path")
        writer.string(path)
        if let place {
            writer.key("line")
            writer.integer(place.line)
            writer.key("column")
            writer.integer(place.column)
        }
        writer.key("found")
        writer.string(found)
        writer.key("message")
        writer.string(message)
        writer.key("expected")
        writer.string(code.expected.description)
        writer.key("fix")
        writer.string(fix)
        writer.key("source")
        writer.string(code.source.description)
        writer.endObject()
    }
}
