import Testing

@testable import Scaffolding

@Suite("What a Package.swift says")
struct ManifestTests {
    @Test("Its targets are found, with folder, plugin and products; what stands in comments and dependencies is none")
    func targets() throws {
        let manifest = Manifest(
            Array(
                """
                let package = Package(
                    name: "Shop", products: [.library(name: "Shop", targets: ["Shop"])],
                    targets: [
                        // .target(name: "Old"),
                        .target(
                            name: "Shop",
                            dependencies: [
                                .product(name: "Tracking", package: "swift-tracking"), .target(name: "Core"),
                            ],
                            path: "App",
                            plugins: [.plugin(name: "TrackingEventsPlugin", package: "swift-tracking")]),
                        .executableTarget(name: "Core" /* , path: "x" */),
                        .testTarget(name: "ShopTests", dependencies: ["Shop"]),
                        .target(name: names[0]),
                    ])
                """.utf8))
        #expect(manifest.targets.map(\.name) == ["Shop", "Core", "ShopTests"])
        #expect(manifest.targets.map(\.path) == ["App", nil, nil])
        #expect(manifest.targets.map(\.isTest) == [false, false, true])
        #expect(manifest.targets.map { $0.names("TrackingEventsPlugin") } == [true, false, false])
    }
}
