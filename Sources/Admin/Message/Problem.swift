package import JSON

/// A refusal with its explanation: `application/problem+json` (RFC 9457), or the same in words.
package struct Problem: Error, Sendable {
    package var kind: ProblemKind
    package var title: String
    /// What is wrong with this request: the value, and what was expected.
    package var detail: String
    /// What to do.
    package var hint: String?
    /// Fields that the answer needs beside the body.
    package var headers: [(name: String, value: String)] = []
    /// Writes members of the object beside the five that every problem has.
    package var members: (@Sendable (inout JSONWriter) -> Void)?
    /// The whole refusal in words, where a problem has a better way than ``text``.
    package var ownText: String?

    /// A refusal of this kind.
    package init(_ kind: ProblemKind, title: String? = nil, _ detail: String, hint: String? = nil) {
        self.kind = kind
        self.title = title ?? kind.title.description
        self.detail = detail
        self.hint = hint
    }

    /// The refusal in words.
    package var text: String {
        if let ownText { return ownText }
        var lines = ["\(kind.status) \(title)", detail]
        if let hint { lines.append("hint: \(hint)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The refusal as an answer, in the form that the guest prefers.
    package func response(_ preference: ContentPreference) -> AdminResponse {
        var response: AdminResponse
        if preference == .json {
            response = AdminResponse(status: kind.status, .problem, json)
        } else {
            response = AdminResponse(status: kind.status, text: text)
        }
        response.headers += headers
        return response
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        writer.string("urn:mock-apns:\(kind.name)")
        writer.key("title")
        writer.string(title)
        writer.key("status")
        writer.integer(kind.status)
        writer.key("detail")
        writer.string(detail)
        if let hint {
            writer.key("hint")
            writer.string(hint)
        }
        members?(&writer)
        writer.endObject()
        return writer.bytes
    }
}
