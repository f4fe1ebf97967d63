import Page
import TLS

/// The files of the web page.
enum PageResource {
    /// Its row of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/ui/{file}", .documents, "A file of the web page.",
            details: "The page asks for these itself. They are the same for the life of the program (`ETag`).",
            answers: [
                AdminRoute.Answer(200, "The file.", .script), AdminRoute.Answer(304, "It has not changed.", nil),
                AdminRoute.Answer(404, "There is no such file, or the server runs with `--no-ui`.", .problem),
            ],
            examples: [AdminRoute.Example("Its first script", "/ui/main.js")], isProbe: true
        ) { call throws(Problem) in .now(try answer(call.captures["file"] ?? "", call)) }
    ]

    /// Scripts, styles and calls of the page's own origin, and nothing else.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The media types by the endings of names.
    private static let types: [Substring: AdminResponse.MediaType] = [
        "html": .html, "css": .style, "js": .script, "svg": .picture,
    ]

    private struct Known: Sendable {
        let file: PageFile
        let type: AdminResponse.MediaType
        let tag: String
    }

    /// All files with what is said of them, worked out once.
    private static let known: [String: Known] = Dictionary(
        uniqueKeysWithValues: PageFile.all.map { file in
            let tag = "\"\(Hexadecimal.text(SHA256.digest(file.bytes).prefix(12)))\""
            return (file.name, Known(file: file, type: types[file.ending] ?? .bytes, tag: tag))
        })

    /// A file as an answer; 304 when the guest has it.
    static func answer(_ name: String, _ call: AdminCall) throws(Problem) -> AdminResponse {
        guard call.environment.hasPage, let known = known[name] else {
            throw Problem(
                .notFound, "The web page has no file \(quoted(name)).",
                hint: call.environment.hasPage ? "The page itself is at /." : "The server runs with --no-ui.")
        }
        let isHeld =
            call.request.header("if-none-match")?.split(separator: ",")
            .contains { $0.trimmed == known.tag } == true
        var response = isHeld ? AdminResponse(status: 304) : AdminResponse(known.type, known.file.bytes)
        response.headers += [
            ("etag", known.tag), ("cache-control", "no-cache"), ("content-security-policy", policy),
            ("referrer-policy", "no-referrer"),
        ]
        return response
    }
}
