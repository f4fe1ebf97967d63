import Foundation
import Simulation
import Testing

@testable import Admin

/// The reference and the OpenAPI document are the route table, written out.
struct ReferenceTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/admin-api.md")

    @Test func `docs/admin-api.md is what the route table says`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let fresh = try #require(ReferencePage.replacing(in: text, with: AdminApplication.table))
        if ProcessInfo.processInfo.environment["MOCK_APNS_WRITE_DOCS"] == "1" {
            try fresh.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        // The line alone: the whole text would bury the failure.
        let difference = zip(text.split(separator: "\n"), fresh.split(separator: "\n")).first { $0 != $1 }
        #expect(difference == nil, "run MOCK_APNS_WRITE_DOCS=1 swift test --filter ReferenceTests")
        let isSame = text == fresh
        #expect(isSame, "run MOCK_APNS_WRITE_DOCS=1 swift test --filter ReferenceTests")
    }

    @Test func `the reference has no sleeps`() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(text.firstMatch(of: /\bsleep [0-9]/) == nil)
    }

    @Test func `every filter is one that the matcher knows, and the reverse`() {
        #expect(Set(FilterParameters.all.map(\.name)) == Set(Matcher.fieldNames + [Filter.search]))
    }

    @Test func `the OpenAPI document has every route, parameter and answer`() throws {
        let document = AdminHarness().send("/openapi.json").object
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        var operations: Set<String> = []
        for route in AdminApplication.table.routes {
            let operation = try #require(paths[route.pattern.description]?[route.method.rawValue.lowercased()])
            operations.insert(operation["operationId"] as? String ?? "")
            let names = (operation["parameters"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
            #expect(
                names
                    == route.pattern.captures + route.parameters.map(\.name) + (route.takesPaths ? ["paths"] : []))
            let responses = try #require(operation["responses"] as? [String: Any])
            for answer in route.answers { #expect(responses[String(answer.status)] != nil) }
            #expect(responses["400"] != nil)
            #expect((responses["401"] == nil) == route.isProbe)
        }
        #expect(operations.count == AdminApplication.table.routes.count)
    }
}
