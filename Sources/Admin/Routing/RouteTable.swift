import Simulation

/// All routes of the admin API, and how a request finds its own.
package struct RouteTable: Sendable {
    /// What the table says about a method and a path.
    package enum Finding: Sendable {
        case route(AdminRoute, captures: [String: String])
        /// The path exists, for these methods.
        case otherMethods([AdminMethod])
        /// No route has this path; the nearest one, if any is near.
        case unknown(nearest: AdminRoute?)
    }

    /// The rows.
    package let routes: [AdminRoute]

    /// A table of these rows.
    package init(_ routes: [AdminRoute]) {
        self.routes = routes
    }

    /// The route for a method and the segments of a path; `HEAD` is answered where `GET` is.
    package func find(_ method: String, _ segments: [String]) -> Finding {
        let wanted = method == AdminMethod.head.rawValue ? AdminMethod.get.rawValue : method
        var methods: [AdminMethod] = []
        for route in routes {
            guard let captures = route.pattern.match(segments) else { continue }
            if route.method.rawValue == wanted { return .route(route, captures: captures) }
            methods.append(route.method)
        }
        guard methods.isEmpty else {
            if methods.contains(.get) { methods.append(.head) }
            return .otherMethods(methods + [.options])
        }
        return .unknown(nearest: nearest(to: segments))
    }

    private func nearest(to segments: [String]) -> AdminRoute? {
        let path = "/" + segments.joined(separator: "/")
        var patterns = routes.map(\.pattern.description)
        // People leave out the version, or write a resource where only its parts have routes.
        for candidate in [path, "/v1" + path] {
            if let name = NearestName.of(candidate, among: patterns) {
                return routes.first { $0.pattern.description == name }
            }
        }
        patterns.removeAll { !path.hasPrefix($0 + "/") || $0 == "/" }
        let name = patterns.max { $0.utf8.count < $1.utf8.count }
        return routes.first { $0.pattern.description == name }
    }
}
