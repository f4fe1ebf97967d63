// swift-tools-version: 6.2
import PackageDescription

/// One place for the language rules of every Swift target of this package.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .treatAllWarnings(as: .error),  // SE-0443
]

/// The product's targets also mark every use of unsafe memory (SE-0458).
let product = house + [.strictMemorySafety()]

/// A library target under these rules.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: product)
}

/// A test target under the same language rules.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["Locking", "TestFixtures"], swiftSettings: house)
}

let package = Package(
    name: "mock-apns",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "mock-apns", targets: ["mock-apns"]),
        .library(name: "MockAPNS", targets: ["MockAPNS"]),
    ],
    targets: [
        // C libraries made importable; each has exactly one Swift importer (docs/architecture.md).
        .systemLibrary(
            name: "CNghttp2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CLibevent", pkgConfig: "libevent_pthreads",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),

        // What must be done before the Swift runtime starts.
        .target(name: "CProcess"),

        // The house, bottom up; arrows point down only.
        module("Locking"),
        module("EventLoop", ["Locking", "CLibevent"]),
        module("TLS", ["COpenSSL", "Locking"]),
        module("HTTP"),
        module("HTTP2", ["HTTP", "CNghttp2"]),
        module("JSON"),
        module("APNs", ["HTTP", "JSON"]),
        module("Simulation", ["APNs", "HTTP", "JSON", "TLS", "Locking"]),
        .target(name: "Page", resources: [.embedInCode("Files")], swiftSettings: product),
        module("Admin", ["Page", "Simulation", "APNs", "HTTP", "JSON", "TLS", "EventLoop", "Locking"]),
        module("Server", ["Admin", "Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS", "EventLoop", "Locking"]),
        module("MockAPNS", ["Server", "Simulation", "APNs", "JSON", "TLS", "EventLoop", "Locking"]),
        .executableTarget(
            name: "mock-apns",
            dependencies: [
                "CProcess", "Server", "Admin", "Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS", "EventLoop",
                "Locking",
            ],
            swiftSettings: product),

        // Tests, in the same order.
        // TestFixtures stands low, so that a change of the server rebuilds only the tests of what is above it.
        .target(
            name: "TestFixtures", dependencies: ["HTTP", "HTTP2", "Locking"], path: "Tests/TestFixtures",
            swiftSettings: house),
        .target(
            name: "TestSupport",
            dependencies: [
                "TestFixtures", "Server", "Admin", "Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS", "EventLoop",
            ],
            path: "Tests/TestSupport", swiftSettings: house),
        tests("LockingTests", []),
        tests("EventLoopTests", ["EventLoop"]),
        tests("TLSTests", ["TLS"]),
        tests("HTTPTests", ["HTTP", "HTTP2"]),
        tests("JSONTests", ["JSON"]),
        tests("APNsTests", ["APNs", "HTTP", "JSON"]),
        tests("SimulationTests", ["Simulation", "APNs", "HTTP", "JSON", "TLS"]),
        tests("AdminTests", ["Admin", "Page", "Simulation", "APNs", "HTTP", "JSON", "TLS", "EventLoop"]),
        tests("ServerTests", ["TestSupport", "Server", "Simulation", "APNs", "EventLoop"]),
        tests("MockAPNSTests", ["TestSupport", "MockAPNS", "EventLoop", "HTTP2"]),
        tests(
            "EndToEndTests",
            ["TestSupport", "Server", "Admin", "Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS", "EventLoop"]),
        tests("BinaryTests", ["TestSupport", "JSON", "HTTP2", "EventLoop"]),
    ]
)

// Only for `make fuzz`: the program's entry is libFuzzer's, which no other build links.
if Context.environment["MOCK_APNS_FUZZ_BUILD"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["Simulation", "APNs", "HTTP", "HTTP2", "JSON", "TLS"], path: "Tests/Fuzz",
            exclude: ["run.sh", "apns.dict"],
            swiftSettings: house + [.unsafeFlags(["-parse-as-library"])]))
}
