// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let tracking = Target.Dependency.product(name: "Tracking", package: "swift-tracking")
let trackingTesting = Target.Dependency.product(name: "TrackingTesting", package: "swift-tracking")
/// Generates the types of the events and pages in a target's folder `Schemas`.
let events = Target.PluginUsage.plugin(name: "TrackingEventsPlugin", package: "swift-tracking")

/// The tests of a target.
func tests(of name: String) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.target(name: name), "AppsTesting", tracking, trackingTesting],
        swiftSettings: strict)
}

// Example apps other than the sample app, in a separate package like your app. ./check builds, runs and tests them.
let package = Package(
    name: "app-examples",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "swift-tracking", path: "../../..")],
    targets: [
        // Shared by the tests.
        .target(
            name: "AppsTesting", dependencies: [trackingTesting], path: "Tests/AppsTesting", swiftSettings: strict),
        // A command-line program.
        .executableTarget(
            name: "WordCount", dependencies: [tracking], exclude: ["Schemas"], swiftSettings: strict,
            plugins: [events]),
        tests(of: "WordCount"),
        // A server.
        .executableTarget(
            name: "EchoServer", dependencies: [tracking], exclude: ["Schemas"], swiftSettings: strict,
            plugins: [events]),
        tests(of: "EchoServer"),
        // A feature in the style of The Composable Architecture, with the tracker as a dependency value.
        .target(
            name: "Basket", dependencies: [tracking], exclude: ["Schemas"], swiftSettings: strict, plugins: [events]),
        tests(of: "Basket"),
    ],
    swiftLanguageModes: [.v6]
)
