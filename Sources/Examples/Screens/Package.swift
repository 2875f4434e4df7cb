// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let tracking = Target.Dependency.product(name: "Tracking", package: "swift-tracking")
let domainEvents = Target.Dependency.product(name: "TrackingDomainEvents", package: "swift-tracking")
let trackingTesting = Target.Dependency.product(name: "TrackingTesting", package: "swift-tracking")

/// A screen architecture, and its tests.
func screen(_ name: String, with others: [Target.Dependency] = []) -> [Target] {
    let shared: [Target.Dependency] = ["Repositories", tracking, domainEvents] + others
    return [
        .target(name: name, dependencies: shared, swiftSettings: strict),
        .testTarget(
            name: name + "Tests",
            dependencies: shared + [.target(name: name), "RepositoriesTesting", trackingTesting],
            swiftSettings: strict),
    ]
}

// The screens of one app in different architectures. A separate package: it uses swift-tracking like an app, and builds
// of swift-tracking don't resolve OpenCombine. ./check runs its tests.
let package = Package(
    name: "screen-examples",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [
        .package(name: "swift-tracking", path: "../../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // The model and the tests' helpers that all screens share.
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
