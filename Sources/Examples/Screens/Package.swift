// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let tracking = Target.Dependency.product(name: "Tracking", package: "swift-tracking")
let trackingTesting = Target.Dependency.product(name: "TrackingTesting", package: "swift-tracking")

/// A way of building a screen, and the tests of what it fires.
func screen(_ name: String, with others: [Target.Dependency] = []) -> [Target] {
    let shared: [Target.Dependency] = ["Repositories", tracking] + others
    return [
        .target(name: name, dependencies: shared, swiftSettings: strict),
        .testTarget(
            name: name + "Tests",
            dependencies: shared + [.target(name: name), "RepositoriesTesting", trackingTesting],
            swiftSettings: strict),
    ]
}

// Screens of one app, built the ways that teams build them. A package of its own: it embeds what an app embeds, and who
// builds swift-tracking does not resolve OpenCombine. ./check runs its tests.
let package = Package(
    name: "screen-examples",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [
        .package(name: "swift-tracking", path: "../../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // What all of them show and ask for, and what their tests have in common.
        .target(name: "Repositories", dependencies: [tracking], swiftSettings: strict),
        .target(
            name: "RepositoriesTesting", dependencies: ["Repositories", tracking, trackingTesting],
            path: "Tests/RepositoriesTesting", swiftSettings: strict),
    ]
        + screen("ViewModelWithObservation")
        + screen(
            "ViewModelWithPublishers", with: [.product(name: "OpenCombineShim", package: "OpenCombine")])
        + screen("RouterAndInteractor")
        + screen("PresenterAndView")
        + screen("NearbyUseCase")
        + screen("RelatedItemsUseCase")
        + screen("FirstScreen"),
    swiftLanguageModes: [.v6]
)
