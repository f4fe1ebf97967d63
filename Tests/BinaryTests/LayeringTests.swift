import Foundation
import Testing

/// Which module may know which: the import lines of Sources/ against the table of docs/architecture.md.
struct LayeringTests {
    /// A module, what it may import, and why it may import no more.
    struct Layer: CustomTestStringConvertible, Sendable {
        let module: String
        let imports: Set<String>
        let because: String

        var testDescription: String { module }
    }

    static let layers: [Layer] = [
        Layer(
            module: "Locking", imports: ["Glibc", "Musl", "Darwin"],
            because: "a lock is the same for everybody and knows nobody"),
        Layer(
            module: "EventLoop", imports: ["CLibevent", "Locking", "Glibc", "Musl", "Darwin", "Synchronization"],
            because: "the loop is the one importer of libevent and serves every protocol alike"),
        Layer(
            module: "TLS", imports: ["COpenSSL", "Locking", "Glibc", "Musl", "Darwin", "Synchronization"],
            because: "TLS is the one importer of OpenSSL and works on a bare descriptor"),
        Layer(
            module: "HTTP", imports: ["Glibc", "Musl", "Darwin"],
            because: "requests and answers are values that the rules can read without nghttp2"),
        Layer(
            module: "HTTP2", imports: ["HTTP", "CNghttp2"],
            because: "HTTP/2 is the one importer of nghttp2 and knows no socket"),
        Layer(module: "JSON", imports: [], because: "reading JSON needs bytes and nothing else"),
        Layer(
            module: "APNs", imports: ["HTTP", "JSON"],
            because: "Apple's rules are pure functions: no clock, no state, no C library"),
        Layer(
            module: "Simulation",
            imports: ["APNs", "HTTP", "JSON", "TLS", "Glibc", "Musl", "Darwin", "Locking", "Synchronization"],
            because: "a decision touches no socket; it needs TLS for keys and certificates only"),
        Layer(module: "Page", imports: [], because: "the web page is files that a browser reads"),
        Layer(
            module: "Admin",
            imports: [
                "Page",
                "Simulation", "APNs", "HTTP", "JSON", "EventLoop", "TLS", "Locking", "Synchronization",
                "FoundationEssentials",
                "Foundation", "Glibc", "Musl", "Darwin",
            ],
            because: "the admin API is a guest: it asks the simulation and never reaches into a connection"),
        Layer(
            module: "Server",
            imports: [
                "Admin", "Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS", "EventLoop", "Glibc", "Musl", "Darwin",
                "Locking", "Synchronization",
            ],
            because: "the server puts the modules together and sees no C library"),
        Layer(
            module: "MockAPNS",
            imports: [
                "Server", "Admin", "Simulation", "APNs", "HTTP", "JSON", "TLS", "EventLoop", "Glibc", "Musl", "Darwin",
                "Locking", "Synchronization",
            ],
            because: "the library for tests is a thin face on the server"),
        Layer(
            module: "mock-apns",
            imports: [
                "CProcess", "Server", "Admin", "Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS", "EventLoop",
                "Glibc", "Musl", "Darwin", "Locking", "Synchronization",
            ],
            because: "the program is a face on the server"),
    ]

    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test(arguments: layers)
    func `a module imports what its layer allows`(_ layer: Layer) throws {
        let folder = Self.sources.appending(path: layer.module)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            for module in Self.imports(of: try String(contentsOf: file, encoding: .utf8)) {
                #expect(
                    layer.imports.contains(module),
                    "\(file.lastPathComponent) imports \(module), which \(layer.module) may not, because \(layer.because)"
                )
            }
        }
        #expect(count > 0)
    }

    @Test func `every module has a layer`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let modules = folders.filter { !$0.hasPrefix("C") && !$0.hasPrefix(".") }
        #expect(Set(modules) == Set(Self.layers.map(\.module)))
    }

    /// The thread sanitizer is blind to the hand-over of `Synchronization.Mutex`, and reports what it guards.
    @Test func `nothing is locked by a lock that the thread sanitizer does not know`() throws {
        for folder in [Self.sources, Self.sources.deletingLastPathComponent().appending(path: "Tests")] {
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(
                    text.firstMatch(of: /\bMutex[<(]/) == nil,
                    "\(file.lastPathComponent) has a Mutex; take Lock of the module Locking")
            }
        }
    }

    @Test func `an import is found however it is written`() {
        let text = """
            import A
            package import B
            @unsafe @preconcurrency import C
            #if canImport(D)
            internal import struct E.F
            // import G
            let text = "import H"
            """
        #expect(Self.imports(of: text) == ["A", "B", "C", "E"])
    }

    /// The modules that a file imports.
    private static func imports(of text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                words[..<place].allSatisfy({
                    $0.hasPrefix("@") || ["package", "public", "internal", "private"].contains($0)
                })
            else { return nil }
            let kinds = ["struct", "class", "enum", "func", "var", "let", "protocol", "typealias"]
            let name =
                kinds.contains(String(words[place + 1])) && place + 2 < words.count
                ? words[place + 2] : words[place + 1]
            return name.split(separator: ".").first.map(String.init)
        }
    }
}
