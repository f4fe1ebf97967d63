/// The API described by itself.
enum DocumentResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/", .documents, "This list of routes.",
            answers: [AdminRoute.Answer(200, "HTML for browsers, text for all others.", .html)],
            examples: [AdminRoute.Example("What is there?", "/")], handler: index),
        AdminRoute(
            .get, "/openapi.json", .documents, "The API as an OpenAPI 3.1 document.",
            answers: [AdminRoute.Answer(200, "The document.")],
            examples: [AdminRoute.Example("For a code generator", "/openapi.json")], handler: openAPI),
    ]

    private static func index(_ call: AdminCall) throws(Problem) -> Answering {
        let page = IndexPage(AdminApplication.table, version: call.environment.info().version)
        guard call.preference == .html else { return .now(AdminResponse(text: page.text)) }
        var response = AdminResponse(.html, Array(page.html.utf8))
        response.headers.append(("content-security-policy", IndexPage.policy))
        return .now(response)
    }

    private static func openAPI(_ call: AdminCall) throws(Problem) -> Answering {
        let document = OpenAPIDocument(AdminApplication.table, version: call.environment.info().version)
        return .now(AdminResponse(.json, document.json))
    }
}
