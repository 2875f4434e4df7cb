import Testing

@testable import Scaffolding

@Suite("Reading Package.swift")
struct ManifestTests {
    @Test("Targets are found with folder, plugin and products, except in comments and dependencies")
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

    @Test("Lists of sources are read, and computed ones are recognized")
    func sources() {
        let manifest = Manifest(
            Array(
                """
                [.target(name: "A", path: "App", sources: ["Shop", /* "Old", */ "Main.swift"]),
                 .target(name: "B", path: root + "/B", sources: files),
                 .target(name: "C", path: "\\(root)/C"), .target(name: "D", sources: ["X"].map(\\.self)),
                 .target(name: "E", resources: [.process("path: x")])]
                """.utf8))
        #expect(manifest.targets.map(\.sources) == [["Shop", "Main.swift"], nil, nil, nil, nil])
        #expect(manifest.targets.map(\.path) == ["App", nil, nil, nil, nil])
        #expect(manifest.targets.map(\.computed) == [[], ["path", "sources"], ["path"], ["sources"], []])
    }
}
