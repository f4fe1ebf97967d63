import Foundation
import Page
import Testing

@testable import Admin

/// The web page as it is served: the files of the folder, under a policy that lets nothing else run.
struct PageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Page/Files")

    private let harness = AdminHarness()

    @Test func `the program has the files of the folder, all of them and as they are`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(PageFile.all.map(\.name)), "the table is Sources/Page/PageFile+All.swift")
        for file in PageFile.all {
            let bytes = Array(try Data(contentsOf: Self.folder.appending(path: file.name)))
            let isSame = bytes == file.bytes
            #expect(isSame, "\(file.name)")
        }
    }

    @Test func `a browser gets the page, and everybody else the list of routes`() {
        let page = harness.send("/", accept: "text/html,application/xhtml+xml,*/*;q=0.8")
        #expect(page.status == 200)
        #expect(page.header("content-type") == "text/html; charset=utf-8")
        #expect(page.text.hasPrefix("<!doctype html>"))
        for accept in ["*/*", "text/plain", nil] {
            #expect(harness.send("/", accept: accept).text.contains("GET /v1/notifications"))
        }
    }

    @Test(arguments: PageFile.all.map(\.name)) func `each file comes with its type and the policy`(_ name: String) {
        let response = harness.send("/ui/\(name)")
        #expect(response.status == 200)
        let types = [
            "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
            "html": "text/html; charset=utf-8",
        ]
        #expect(response.header("content-type") == types[String(name.split(separator: ".").last ?? "")])
        let policy = response.header("content-security-policy") ?? ""
        #expect(
            policy.hasPrefix(
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"))
        #expect(!policy.contains("unsafe"))
        #expect(response.header("x-content-type-options") == "nosniff")
        #expect(response.header("referrer-policy") == "no-referrer")
        #expect(response.headers.filter { $0.name == "cache-control" }.map(\.value) == ["no-cache"])
    }

    @Test func `a file that a browser has is not sent again`() throws {
        let tag = try #require(harness.send("/ui/main.js").header("etag"))
        let response = harness.send("/ui/main.js", headers: [("if-none-match", "\"other\", \(tag)")])
        #expect(response.status == 304)
        #expect(response.body.isEmpty)
        #expect(harness.send("/ui/main.js", headers: [("if-none-match", "\"other\"")]).status == 200)
        #expect(harness.send("/ui/base.css").header("etag") != tag)
    }

    @Test func `what is no file of the page is not found`() {
        for path in ["/ui/nothing.js", "/ui/..%2Fmain.js", "/ui/Main.js"] { #expect(harness.send(path).status == 404) }
        #expect(harness.send("/ui").status == 404)
    }

    @Test func `without the page browsers get the list of routes`() {
        let harness = AdminHarness(hasPage: false)
        #expect(harness.send("/", accept: "text/html").text.contains("GET /v1/notifications"))
        #expect(harness.send("/ui/main.js").status == 404)
        #expect(harness.send("/ui/main.js").string("hint").contains("--no-ui"))
    }

    /// The policy would stop it in a browser; here it is found before.
    @Test func `nothing in the page is inline, and nothing is fetched from elsewhere`() throws {
        let html = try text("index.html")
        #expect(html.firstMatch(of: /<script(?![^>]*\bsrc=)/) == nil)
        #expect(html.firstMatch(of: /<style|\sstyle=|\son[a-z]+=/) == nil)
        for file in PageFile.all {
            let text = try text(file.name)
            #expect(text.firstMatch(of: /(?:src|href|url\()\s*=?\s*["'(]?https?:/) == nil, "\(file.name)")
            #expect(
                text.firstMatch(of: /\binnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/) == nil,
                "\(file.name)")
        }
    }

    @Test func `what a script imports and the page names is there`() throws {
        let names = Set(PageFile.all.map(\.name))
        for file in PageFile.all where file.ending == "js" {
            for match in try text(file.name).matches(of: /from '\.\/([^']+)'/) {
                #expect(names.contains(String(match.1)), "\(file.name) imports \(match.1)")
            }
        }
        for match in try text("index.html").matches(of: /(?:src|href)="ui\/([^"]+)"/) {
            #expect(names.contains(String(match.1)), "index.html names \(match.1)")
        }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try #require(PageFile.named(name)).bytes, as: UTF8.self)
    }
}
