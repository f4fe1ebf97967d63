import JSON

/// The route table as an OpenAPI 3.1 document.
struct OpenAPIDocument: NestedDocument {
    private let table: RouteTable
    private let version: String
    var writer = JSONWriter()

    /// The answers that every route may give besides its own.
    private static let everywhere: [AdminRoute.Answer] = [
        AdminRoute.Answer(400, "A parameter, a value or the body was not understood.", .problem),
        AdminRoute.Answer(401, "The admin token is missing or wrong.", .problem),
        AdminRoute.Answer(403, "The host name or the origin is not allowed.", .problem),
        AdminRoute.Answer(413, "The body is too large.", .problem),
        AdminRoute.Answer(415, "The body is not JSON.", .problem),
    ]

    init(_ table: RouteTable, version: String) {
        self.table = table
        self.version = version
    }

    /// The document.
    var json: [UInt8] {
        var copy = self
        copy.write()
        return copy.writer.bytes
    }

    private mutating func write() {
        object { document in
            document.member("openapi", "3.1.0")
            document.key("info") { info in
                info.member("title", "mock-apns admin API")
                info.member("version", info.version)
                info.member("description", "What a stand-in for Apple's Push Notification service received.")
                info.key("license") { license in
                    license.member("name", "Apache-2.0")
                    license.member("identifier", "Apache-2.0")
                }
            }
            document.writer.key("servers")
            document.array(["/"]) { server, url in
                server.object { $0.member("url", url) }
            }
            document.writer.key("tags")
            document.array(AdminRoute.Group.allCases) { tag, group in
                tag.object { $0.member("name", group.rawValue) }
            }
            document.key("paths") { $0.writePaths() }
            document.key("components") { $0.writeComponents() }
        }
    }

    private mutating func writePaths() {
        var patterns: [String] = []
        for route in table.routes where !patterns.contains(route.pattern.description) {
            patterns.append(route.pattern.description)
        }
        for pattern in patterns {
            writer.key(dynamic: pattern)
            object { path in
                for route in path.table.routes where route.pattern.description == pattern {
                    path.writer.key(dynamic: route.method.rawValue.lowercased())
                    path.object { $0.write(route) }
                }
            }
        }
    }

    private mutating func write(_ route: AdminRoute) {
        member("operationId", operationID(route))
        member("summary", route.summary)
        if !route.details.isEmpty { member("description", route.details) }
        writer.key("tags")
        array([route.group.rawValue]) { $0.writer.string($1) }
        writer.key("parameters")
        writer.beginArray()
        for name in route.pattern.captures { writePathParameter(name) }
        for parameter in route.parameters { write(parameter) }
        if route.takesPaths { writeOpenParameters() }
        writer.endArray()
        if let body = route.body { writeBody(body) }
        key("responses") { responses in
            let own = route.answers
            let others = Self.everywhere.filter { answer in
                !own.contains { $0.status == answer.status } && !(route.isProbe && answer.status == 401)
            }
            for status in Set((own + others).map(\.status)).sorted() {
                responses.write((own + others).filter { $0.status == status }, status)
            }
        }
        writer.key("security")
        writer.beginArray()
        object { _ in }
        if !route.isProbe { object { $0.strings("adminToken", []) } }
        writer.endArray()
    }

    private func operationID(_ route: AdminRoute) -> String {
        let words = route.pattern.description.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
        return route.method.rawValue.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            + (words.isEmpty ? "Index" : "")
    }

    private mutating func write(_ parameter: Parameter) {
        object { object in
            object.member("name", parameter.name)
            object.member("in", "query")
            object.member("description", parameter.summary)
            object.writer.key("schema")
            object.writeSchema(parameter.kind)
            object.writer.key("example")
            object.writeExample(parameter)
        }
    }

    private mutating func writeExample(_ parameter: Parameter) {
        if case .integer = parameter.kind, let number = Int(parameter.example) { return writer.integer(number) }
        if parameter.isRepeatable {
            return array(parameter.example.split(separator: ",")) { $0.writer.string(String($1)) }
        }
        writer.string(parameter.example)
    }

    private mutating func writePathParameter(_ name: String) {
        object { object in
            object.member("name", name)
            object.member("in", "path")
            object.writer.key("required")
            object.writer.boolean(true)
            object.key("schema") { $0.member("type", "string") }
        }
    }

    /// Paths into the payload and header names, as an object that is spread into parameters.
    private mutating func writeOpenParameters() {
        object { object in
            object.member("name", "paths")
            object.member("in", "query")
            object.member("description", "Values of the payload (aps.…, payload.…) and header fields (header.…).")
            object.member("style", "form")
            object.writer.key("explode")
            object.writer.boolean(true)
            object.key("schema") { schema in
                schema.member("type", "object")
                schema.key("patternProperties") { patterns in
                    patterns.key(#"^(aps|payload|header)\\..+"#) { $0.member("type", "string") }
                }
                schema.writer.key("additionalProperties")
                schema.writer.boolean(false)
            }
        }
    }

    private mutating func writeBody(_ fields: [Parameter]) {
        key("requestBody") { body in
            body.key("content") { content in
                content.key("application/json") { type in
                    type.key("schema") { $0.writeObject(fields) }
                }
            }
        }
    }

    private mutating func writeObject(_ fields: [Parameter]) {
        member("type", "object")
        writer.key("additionalProperties")
        writer.boolean(false)
        key("properties") { properties in
            for field in fields {
                properties.writer.key(dynamic: field.name)
                properties.writeSchema(field.kind)
            }
        }
    }

    private mutating func write(_ answers: [AdminRoute.Answer], _ status: Int) {
        writer.key(dynamic: String(status))
        object { object in
            object.member("description", answers.map(\.meaning).joined(separator: " "))
            object.key("headers") { headers in
                for name in ["mock-apns-cursor", "mock-apns-instance"] {
                    headers.writer.key(dynamic: name)
                    headers.object { $0.key("schema") { $0.member("type", "string") } }
                }
            }
            object.key("content") { content in
                for answer in answers {
                    guard let type = answer.type else { continue }
                    content.writer.key(dynamic: String(type.short))
                    content.object { $0.key("schema") { $0.writeSchema(of: type) } }
                    if type == .problem || type == .json || type == .html {
                        content.key("text/plain") { $0.key("schema") { $0.member("type", "string") } }
                    }
                }
            }
        }
    }

    private mutating func writeSchema(of type: AdminResponse.MediaType) {
        switch type {
        case .problem: member("$ref", "#/components/schemas/Problem")
        case .json: member("type", "object")
        case .text, .html, .style, .script, .picture, .pem, .pkcs12, .bytes, .events, .lines, .markdown, .xml, .metrics:
            member("type", "string")
        }
    }

    private mutating func writeComponents() {
        key("securitySchemes") { schemes in
            schemes.key("adminToken") { token in
                token.member("type", "http")
                token.member("scheme", "bearer")
            }
        }
        key("schemas") { schemas in
            schemas.key("Matcher") { matcher in
                matcher.member("type", "object")
                matcher.member("description", "Conditions on fields, which must all hold; see docs/admin-api.md.")
            }
            schemas.key("Problem") { problem in
                problem.member("type", "object")
                problem.strings("required", ["type", "title", "status", "detail"])
                problem.key("properties") { properties in
                    for name in ["type", "title", "detail", "hint"] {
                        properties.writer.key(dynamic: name)
                        properties.object { $0.member("type", "string") }
                    }
                    properties.key("status") { $0.member("type", "integer") }
                }
            }
        }
    }

    private mutating func writeSchema(_ kind: Parameter.Kind) {
        object { schema in
            switch kind {
            case .text, .moment, .search, .form: schema.writeText()
            case .boolean: schema.member("type", "boolean")
            case .matcher: schema.member("$ref", "#/components/schemas/Matcher")
            case .objects(let members):
                schema.member("type", "array")
                schema.key("items") { $0.writeObject(members) }
            case .value(let words): schema.member("description", words)
            case .pattern, .members, .texts, .list:
                schema.member("type", "array")
                schema.key("items") { $0.writeText() }
            case .word(let words): schema.writeWords(words)
            case .words(let words):
                schema.member("type", "array")
                schema.key("items") { $0.writeWords(words) }
            case .integer(let range):
                schema.member("type", "integer")
                schema.writer.key("minimum")
                schema.writer.integer(range.lowerBound)
                schema.writer.key("maximum")
                schema.writer.integer(range.upperBound)
            case .duration:
                schema.member("type", "string")
                schema.member("pattern", #"^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)?$"#)
            case .cursor:
                schema.member("type", "string")
                schema.member("pattern", "^([0-9]+|now)$")
            }
        }
    }

    /// Empty values are refused.
    private mutating func writeText() {
        member("type", "string")
        writer.key("minLength")
        writer.integer(1)
    }

    private mutating func writeWords(_ words: [String]) {
        member("type", "string")
        strings("enum", words)
    }
}
