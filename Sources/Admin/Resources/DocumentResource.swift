/// The API described by itself.
enum DocumentResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/", .documents, "The web page for browsers, and this list of routes for all others.",
            details: """
                The page shows what the phone would show. It loads without the admin token and asks for it. With `--no-ui` \
                browsers get the list of routes too.
                """,
            answers: [AdminRoute.Answer(200, "HTML for browsers, text for all others.", .html)],
            examples: [AdminRoute.Example("What is there?", "/")], isProbe: true, handler: index),
        AdminRoute(
            .get, "/openapi.json", .documents, "The API as an OpenAPI 3.1 document.",
            answers: [AdminRoute.Answer(200, "The document.")],
            examples: [AdminRoute.Example("For a code generator", "/openapi.json")], handler: openAPI),
        AdminRoute(
            .get, "/schema/config.json", .documents,
            "The JSON Schema (2020-12) of the configuration file and of `/v1/state`, for editors.",
            answers: [AdminRoute.Answer(200, "The schema.")],
            examples: [AdminRoute.Example("For an editor without a server", "/schema/config.json")]
        ) { _ throws(Problem) in .now(AdminResponse(.json, ConfigurationSchema.json)) },
        AdminRoute(
            .get, "/docs", .documents, "The reference of all routes, to read.",
            answers: [AdminRoute.Answer(200, "HTML for browsers, Markdown for all others.", .html)],
            examples: [AdminRoute.Example("All parameters", "/docs")], handler: documents),
        AdminRoute(
            .get, "/metrics", .documents, "Counters, as Prometheus reads them.",
            answers: [AdminRoute.Answer(200, "The text format 0.0.4.", .metrics)],
            examples: [AdminRoute.Example("For a scrape", "/metrics")], isMonitoring: true, handler: metrics),
    ]

    private static func index(_ call: AdminCall) throws(Problem) -> Answering {
        if call.preference == .html, call.environment.hasPage {
            return .now(try PageResource.answer("index.html", call))
        }
        let page = IndexPage(AdminApplication.table, version: call.environment.info().version)
        guard call.preference == .html else { return .now(AdminResponse(text: page.text)) }
        var response = AdminResponse(.html, Array(page.html.utf8))
        response.headers.append(("content-security-policy", IndexPage.policy))
        return .now(response)
    }

    private static func documents(_ call: AdminCall) throws(Problem) -> Answering {
        let markdown = ReferencePage.markdown(AdminApplication.table)
        guard call.preference == .html else { return .now(AdminResponse(.markdown, Array(markdown.utf8))) }
        var response = AdminResponse(.html, Array(DocumentPage(markdown).html.utf8))
        response.headers.append(("content-security-policy", IndexPage.policy))
        return .now(response)
    }

    private static func metrics(_ call: AdminCall) throws(Problem) -> Answering {
        .now(AdminResponse(.metrics, Array(MetricsPage(call).text.utf8)))
    }

    private static func openAPI(_ call: AdminCall) throws(Problem) -> Answering {
        let document = OpenAPIDocument(AdminApplication.table, version: call.environment.info().version)
        return .now(AdminResponse(.json, document.json))
    }
}
