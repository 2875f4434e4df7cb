// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The generator of test doubles. A separate package, so that builds of swift-tracking don't build swift-syntax.
let package = Package(
    name: "tracking-doubles",
    platforms: [.macOS(.v14)],
    products: [.executable(name: "tracking-doubles", targets: ["tracking-doubles"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(name: "swift-tracking", path: "../.."),
    ],
    targets: [
        .target(
            name: "DoubleGeneration",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "tracking-doubles",
            dependencies: [
                "DoubleGeneration", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // Protocols for the tests: the golden files are compiled, and their doubles used.
        .target(name: "DoubledProtocols", path: "Tests/DoubledProtocols", swiftSettings: strict),
        .target(
            name: "PublicDoubles",
            dependencies: ["DoubledProtocols", .product(name: "TrackingTesting", package: "swift-tracking")],
            path: "Tests/PublicDoubles", swiftSettings: strict),
        .testTarget(
            name: "GeneratedDoublesTests",
            dependencies: [
                "DoubledProtocols", "PublicDoubles", .product(name: "TrackingTesting", package: "swift-tracking"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DoubleGenerationTests", dependencies: ["DoubleGeneration"], exclude: ["refused.txt"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
