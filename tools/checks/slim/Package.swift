// swift-tools-version: 6.1
import PackageDescription

// The smallest app that embeds the SDK. It proves that Tracking, TrackingHTTP and TrackingTesting bring GRDB and nothing else:
// ./check builds it and compares what it resolves.
let package = Package(
    name: "slim-client",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "swift-tracking", path: "../../..")],
    targets: [
        .executableTarget(
            name: "SlimClient",
            dependencies: [
                .product(name: "Tracking", package: "swift-tracking"),
                .product(name: "TrackingHTTP", package: "swift-tracking"),
                .product(name: "TrackingTesting", package: "swift-tracking"),
            ]
        ),
        .testTarget(
            name: "SlimClientTests",
            dependencies: [
                "SlimClient",
                .product(name: "Tracking", package: "swift-tracking"),
                .product(name: "TrackingTesting", package: "swift-tracking"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
