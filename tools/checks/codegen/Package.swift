// swift-tools-version: 6.1
import PackageDescription

// An app whose events are made of its own schemas by the plugin. ./check builds and runs it, and validates what it sends.
let package = Package(
    name: "codegen-client",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "swift-tracking", path: "../../..")],
    targets: [
        .executableTarget(
            name: "CodegenClient",
            dependencies: [
                .product(name: "Tracking", package: "swift-tracking"),
                .product(name: "TrackingTesting", package: "swift-tracking"),
            ],
            exclude: ["Schemas"],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])],
            plugins: [.plugin(name: "TrackingEventsPlugin", package: "swift-tracking")]
        )
    ],
    swiftLanguageModes: [.v6]
)

// What must not compile: ./check builds it, and looks for the errors.
if Context.environment["TRACKING_MISSPELT"] != nil {
    package.targets.append(
        .target(
            name: "MisspeltClient",
            dependencies: [.product(name: "Tracking", package: "swift-tracking")],
            exclude: ["Schemas"],
            plugins: [.plugin(name: "TrackingEventsPlugin", package: "swift-tracking")]
        ))
}

// Code that is the main actor's by default came with Swift 6.2.
#if compiler(>=6.2)
    package.targets.append(
        .target(
            name: "MainActorClient",
            dependencies: [.product(name: "Tracking", package: "swift-tracking")],
            exclude: ["Schemas"],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors", "-default-isolation", "MainActor"])],
            plugins: [.plugin(name: "TrackingEventsPlugin", package: "swift-tracking")]
        ))
#endif
