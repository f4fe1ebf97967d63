package import APNs
package import JSON

/// A report as JSON.
extension PayloadReport {
    /// Adds the report as an object; `file` is where the payload came from.
    package func write(file: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("file")
        writer.string(file)
        writer.key("verdict")
        writer.string(constant: isAccepted ? "accepted" : "refused")
        writer.key("status")
        writer.integer(failures.first?.reason.status ?? 200)
        writer.key("reason")
        writer.string(failures.first?.reason.spelling(documented: false).description)
        writer.key("explanation")
        writer.string(failures.first?.explanation)
        writer.key("fix")
        writer.string(failures.first?.remedy)
        writer.key("alsoWouldFail")
        writer.beginArray()
        for failure in failures.dropFirst() { writer.string(constant: failure.reason.spelling(documented: false)) }
        writer.endArray()
        writer.key("pushType")
        writer.string(pushType.rawValue)
        writer.key("pushTypeInferred")
        writer.boolean(isTypeInferred)
        writer.key("profile")
        writer.string(profile.rawValue)
        writeFault(to: &writer)
        writer.key("findings")
        writer.beginArray()
        for remark in remarks { remark.finding.write(place: remark.place, to: &writer) }
        writer.endArray()
        writer.key("sizes")
        PayloadSizeWriter.write(parts, bytes: bytes, compactBytes: compactBytes, limit: limit, to: &writer)
        writer.endObject()
    }

    private func writeFault(to writer: inout JSONWriter) {
        writer.key("fault")
        guard let fault else { return writer.null() }
        writer.beginObject()
        writer.key("line")
        writer.integer(fault.line)
        writer.key("column")
        writer.integer(fault.column)
        writer.key("offset")
        writer.integer(fault.offset)
        writer.key("message")
        writer.string(fault.message)
        writer.endObject()
    }
}
