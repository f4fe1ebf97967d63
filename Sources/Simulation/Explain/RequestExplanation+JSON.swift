import APNs
import HTTP
package import JSON

/// An explanation as JSON.
extension RequestExplanation {
    /// Adds the explanation as an object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("verdict")
        writer.string(constant: verdict)
        writer.key("answer")
        writeAnswer(to: &writer)
        let first = content.failures.first
        writer.key("explanation")
        writer.string(first?.explanation)
        writer.key("fix")
        writer.string(first?.remedy)
        if let rule = content.rule {
            writer.key("rule")
            writer.beginObject()
            writer.key("id")
            writer.string(rule.id)
            writer.key("attempt")
            writer.integer(rule.attempt)
            writer.key("outcome")
            writer.string(rule.outcome)
            writer.key("delayMs")
            writer.integer(rule.delayMilliseconds)
            writer.endObject()
        }
        writer.key("alsoWouldFail")
        writer.beginArray()
        for failure in content.failures.dropFirst() { writer.string(constant: spelling(failure.reason)) }
        writer.endArray()
        writer.key("checks")
        writer.beginArray()
        for (check, verdict) in checks { write(check, verdict, to: &writer) }
        writer.endArray()
        writer.key("findings")
        writer.beginArray()
        for finding in content.findings { finding.write(place: nil, to: &writer) }
        writer.endArray()
        writer.key("environment")
        writer.string(content.environment.rawValue)
        writer.key("profile")
        writer.string(content.profile.rawValue)
        writer.key("pushType")
        writer.string(content.pushType?.rawValue)
        writer.key("pushTypeInferred")
        writer.boolean(content.isPushTypeInferred)
        writer.key("sizes")
        let (parts, compactBytes) = sizes
        PayloadSizeWriter.write(
            parts, bytes: content.request.bodyBytesReceived, compactBytes: compactBytes, limit: content.payloadLimit,
            to: &writer)
        writer.endObject()
    }

    private func writeAnswer(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("status")
        writer.integer(response.status)
        writer.key("reason")
        writer.string(constant: content.reason.map(spelling))
        writer.key("headers")
        writer.beginObject()
        for field in response.fields {
            writer.key(dynamic: field.name.spelling.description)
            switch field.value {
            case .id(let id): writer.string(id.description)
            case .bytes(let bytes): writer.string(utf8: bytes)
            }
        }
        writer.endObject()
        writer.key("body")
        switch response.body {
        case .none: writer.string("")
        case .constant(let text): writer.string(text.description)
        case .bytes(let bytes): writer.string(utf8: bytes)
        }
        writer.endObject()
    }

    private func write(_ check: Check, _ verdict: Verdict, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("check")
        writer.string(constant: check.name)
        writer.key("ok")
        switch verdict {
        case .passed: writer.boolean(true)
        case .notMade:
            writer.null()
            writer.key("note")
            writer.string(constant: "not made")
        case .failed(let failure):
            writer.boolean(false)
            writer.key("reason")
            writer.string(constant: spelling(failure.reason))
            writer.key("expected")
            writer.string(failure.expected)
            writer.key("actual")
            writer.string(failure.actual)
            writer.key("note")
            writer.string(failure.explanation)
        }
        writer.endObject()
    }
}
