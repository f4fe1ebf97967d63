package import APNs
package import JSON

/// Where the bytes of a payload go, as JSON.
package enum PayloadSizeWriter {
    /// Adds an object: all bytes, those without white space, the limit, and what each key takes.
    package static func write(
        _ parts: [PayloadSize.Part], bytes: Int, compactBytes: Int, limit: Int, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("bytes")
        writer.integer(bytes)
        writer.key("compactBytes")
        writer.integer(compactBytes)
        writer.key("limit")
        writer.integer(limit)
        writer.key("remaining")
        writer.integer(limit - bytes)
        writer.key("keys")
        write(parts, to: &writer)
        writer.key("between")
        writer.integer(bytes - parts.reduce(0) { $0 + $1.bytes })
        writer.endObject()
    }

    private static func write(_ parts: [PayloadSize.Part], to writer: inout JSONWriter) {
        writer.beginArray()
        for part in parts {
            writer.beginObject()
            writer.key("path")
            writer.string(part.path)
            writer.key("bytes")
            writer.integer(part.bytes)
            if !part.parts.isEmpty {
                writer.key("keys")
                write(part.parts, to: &writer)
            }
            writer.endObject()
        }
        writer.endArray()
    }
}
