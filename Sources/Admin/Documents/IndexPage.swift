/// What `GET /` shows: the routes with a line each, for people who look around.
struct IndexPage {
    private let table: RouteTable
    private let version: String

    /// The one way of styling that the page's policy allows.
    static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    init(_ table: RouteTable, version: String) {
        self.table = table
        self.version = version
    }

    private var introduction: String {
        "mock-apns \(version): a stand-in for Apple's Push Notification service. Send pushes to its APNs port; ask here "
            + "what was delivered."
    }

    /// For terminals.
    var text: String {
        var lines = [introduction, ""]
        let width = table.routes.map { heading($0).count }.max() ?? 0
        for (group, routes) in groups {
            lines.append(group.rawValue)
            for route in routes {
                let heading = heading(route)
                lines.append(
                    "  \(heading)\(String(repeating: " ", count: width - heading.count))  \(route.summary)")
            }
            lines.append("")
        }
        lines.append(
            "Try: curl \"…/v1/notifications?wait=5s\"   All parameters: docs/admin-api.md or GET /openapi.json")
        return lines.joined(separator: "\n") + "\n"
    }

    /// For browsers.
    var html: String {
        let sections = groups.map { group, routes in
            "<h2>\(escaped(group.rawValue))</h2>\n<dl>\n" + routes.map(item).joined() + "</dl>\n"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>mock-apns</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; \
            color-scheme: light dark }
            dt { font-family: ui-monospace, monospace } dd { margin: 0 0 .5rem 1.5rem }
            </style>
            </head>
            <body>
            <h1>mock-apns</h1>
            <p>\(escaped(introduction))</p>
            \(sections.joined())</body>
            </html>

            """
    }

    private var groups: [(AdminRoute.Group, [AdminRoute])] {
        AdminRoute.Group.allCases.compactMap { group in
            let routes = table.routes.filter { $0.group == group }
            return routes.isEmpty ? nil : (group, routes)
        }
    }

    private func heading(_ route: AdminRoute) -> String {
        "\(route.method.rawValue) \(route.pattern)"
    }

    private func item(_ route: AdminRoute) -> String {
        let path = route.pattern.description
        let name = escaped(heading(route))
        let isLink = route.method == .get && !path.contains("{")
        return
            "<dt>\(isLink ? "<a href=\"\(escaped(path))\">\(name)</a>" : name)</dt><dd>\(escaped(route.summary))</dd>\n"
    }

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
