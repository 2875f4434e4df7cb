// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Only what an app embeds is declared as a product. An app resolves whatever a declared product reaches, so
// `trackctl` and the sample app stay undeclared: they build and run in a checkout, and ArgumentParser stays
// out of an embedding app's graph. `tools/slim-client` proves it.
let package = Package(
    name: "swift-tracking",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Tracking", targets: ["Tracking"]),
        .library(name: "TrackingTesting", targets: ["TrackingTesting"]),
        .library(name: "TrackingReplay", targets: ["TrackingReplay"]),
        .library(name: "TrackingValidation", targets: ["TrackingValidation"]),
        .library(name: "JSONSchema", targets: ["JSONSchema"]),
        .plugin(name: "TrackingEventsPlugin", targets: ["TrackingEventsPlugin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // The embedded SDK.
        .target(name: "Locking", swiftSettings: strict),
        .target(name: "Flux", dependencies: ["Locking"], swiftSettings: strict),
        .target(name: "Digests", swiftSettings: strict),
        .target(name: "JSONLines", dependencies: ["Digests"], swiftSettings: strict),
        .target(name: "EventNaming", swiftSettings: strict),
        .target(
            name: "EventLog",
            dependencies: [
                "Locking", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Tracking",
            dependencies: ["Flux", "JSONLines", "EventLog", "EventNaming", "Locking"],
            resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: strict
        ),
        .target(
            name: "TrackingTesting",
            dependencies: ["Tracking", "TrackingValidation", "TrackingPlan", "FakeData", "JSONSchema", "Locking"],
            swiftSettings: strict
        ),
        .target(name: "TrackingReplay", dependencies: ["Tracking", "JSONLines", "Locking"], swiftSettings: strict),

        // JSON Schema, and the plan that is written in it.
        .target(name: "CThreadStack"),
        .target(name: "JSONSchema", dependencies: ["CThreadStack"], swiftSettings: strict),
        .target(name: "TrackingPlan", dependencies: ["JSONSchema", "EventNaming"], swiftSettings: strict),
        .target(name: "SeededChance", swiftSettings: strict),
        .target(
            name: "FakeData",
            dependencies: ["TrackingPlan", "JSONSchema", "JSONLines", "EventLog", "EventNaming", "SeededChance"],
            swiftSettings: strict),
        .target(name: "MarkupText", swiftSettings: strict),
        .target(
            name: "PlanTools", dependencies: ["TrackingPlan", "JSONSchema", "EventNaming", "Digests", "MarkupText"],
            swiftSettings: strict),
        .target(
            name: "TrackingValidation", dependencies: ["Tracking", "TrackingPlan", "Locking"], swiftSettings: strict
        ),

        // Swift code from the plan. It must build without Tracking: a bad schema could lock it out else.
        .target(
            name: "PlanCodegen", dependencies: ["TrackingPlan", "JSONSchema", "EventNaming"], swiftSettings: strict),
        .executableTarget(name: "tracking-codegen", dependencies: ["PlanCodegen"], swiftSettings: strict),
        .plugin(
            name: "TrackingEventsPlugin", capability: .buildTool(), dependencies: ["tracking-codegen"],
            path: "Sources/TrackingEventsPlugin"),

        // The command line.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "LogFiles", dependencies: ["CZlib", "CZstd", "JSONLines"], swiftSettings: strict),
        .target(name: "EventPaths", dependencies: ["JSONLines"], swiftSettings: strict),
        .target(
            name: "EventQuery", dependencies: ["EventLog", "EventPaths", "JSONLines"], swiftSettings: strict),
        .target(
            name: "LogStatistics", dependencies: ["EventQuery", "EventLog", "JSONLines"], swiftSettings: strict),
        .target(
            name: "CommandSupport", dependencies: ["EventLog", "JSONLines", "LogFiles"], swiftSettings: strict
        ),
        .target(name: "RecordSorting", dependencies: ["CommandSupport", "LogFiles"], swiftSettings: strict),
        .target(name: "TerminalText", swiftSettings: strict),
        .target(name: "ChartPages", dependencies: ["MarkupText"], swiftSettings: strict),
        .target(name: "BehaviourPages", dependencies: ["JSONLines", "MarkupText"], swiftSettings: strict),
        .target(
            name: "EventFormats",
            dependencies: ["EventLog", "EventPaths", "JSONLines", "JSONSchema", "Digests", "TerminalText"],
            swiftSettings: strict),
        .target(
            name: "LogCare", dependencies: ["Tracking", "EventLog", "JSONLines", "LogFiles", "TerminalText"],
            swiftSettings: strict
        ),
        .target(
            name: "LogReplay",
            dependencies: [
                "EventLog", "EventPaths", "EventQuery", "JSONLines", "LogFiles", "CommandSupport", "Digests", "Locking",
                "SeededChance", "CZlib",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Scaffolding",
            dependencies: [
                "CommandSupport", "EventNaming", "JSONLines", "JSONSchema", "LogFiles", "PlanCodegen", "PlanTools",
                "TrackingPlan",
            ],
            resources: [.embedInCode("Templates")], swiftSettings: strict),
        .target(
            name: "TrackctlCommands",
            dependencies: [
                "Tracking", "ChartPages", "EventFormats", "EventLog", "EventNaming", "EventPaths", "EventQuery",
                "FakeData", "JSONLines", "SeededChance", "LogCare", "LogFiles", "LogReplay", "LogStatistics",
                "CommandSupport", "Digests", "TrackingPlan", "PlanTools", "PlanCodegen", "JSONSchema", "RecordSorting",
                "Scaffolding", "TerminalText", "BehaviourPages",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "trackctl",
            dependencies: ["TrackctlCommands"],
            swiftSettings: strict
        ),

        // The sample app.
        .target(
            name: "GitHubClient", dependencies: ["Tracking", "TrackingReplay", "JSONLines", "SeededChance"],
            resources: [.copy("Resources/sample-activity.jsonl"), .copy("Resources/sample-repositories.jsonl")],
            swiftSettings: strict
        ),
        .target(
            name: "GitHubTerminal",
            dependencies: ["GitHubClient", "Tracking", "JSONLines", "TerminalText", "CommandSupport"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "github-client",
            dependencies: [
                "GitHubClient", "GitHubTerminal", "Tracking", "TrackingReplay", "EventLog", "JSONLines", "LogFiles",
                "CommandSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        // The benchmarks: `tools/bench` runs them.
        .target(
            name: "CBaselines", path: "tools/benchmarks/CBaselines", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "benchmarks",
            dependencies: ["CBaselines", "EventLog", "Flux", "JSONLines", "JSONSchema", "SeededChance", "Tracking"],
            path: "tools/benchmarks/Runner",
            swiftSettings: strict
        ),

        // What JSONSchema says, for the comparison with others: tools/schema-agreement.
        .executableTarget(
            name: "schema-verdicts", dependencies: ["JSONSchema"], path: "tools/schema-agreement/SchemaVerdicts",
            swiftSettings: strict
        ),

        // The crash harness: tools/crash.
        .target(
            name: "CrashSupport", dependencies: ["Tracking", "SeededChance"], path: "tools/crash-tests/CrashSupport",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "crash-sender",
            dependencies: [
                "CrashSupport", "Tracking", "JSONLines", "CommandSupport", "EventLog", "SeededChance",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "tools/crash-tests/crash-sender",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "crash-harness",
            dependencies: [
                "CrashSupport", "Tracking", "JSONLines", "CommandSupport", "EventLog", "SeededChance",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "tools/crash-tests/crash-harness",
            swiftSettings: strict
        ),

        // What libFuzzer runs, and the tests replay: tools/fuzz. Without libFuzzer, `fuzzer` runs single inputs.
        .target(name: "FuzzDriver", path: "tools/fuzzing/FuzzDriver"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CommandSupport", "EventFormats", "EventLog", "EventPaths", "EventQuery", "JSONLines", "JSONSchema",
                "Locking", "LogFiles", "Tracking", "TrackingPlan", "TrackingReplay", "TrackctlCommands",
            ],
            path: "tools/fuzzing/FuzzTargets",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "fuzzer", dependencies: ["FuzzDriver", "FuzzTargets"], path: "tools/fuzzing/Fuzzer",
            swiftSettings: strict
        ),

        // Tests.
        .target(name: "LookAlikes", path: "Tests/LookAlikes", swiftSettings: strict),
        .target(name: "CommandRunner", path: "Tests/CommandRunner", swiftSettings: strict),
        .target(name: "TestTimes", path: "Tests/TestTimes", swiftSettings: strict),
        .testTarget(name: "FluxTests", dependencies: ["Flux", "Locking"], swiftSettings: strict),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: strict),
        .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: strict),
        .testTarget(name: "JSONLinesTests", dependencies: ["JSONLines"], swiftSettings: strict),
        .testTarget(
            name: "JSONSchemaTests",
            dependencies: ["JSONSchema", "CommandRunner", "JSONLines", "LogFiles", "SeededChance"],
            resources: [.copy("Resources")], swiftSettings: strict),
        .testTarget(
            name: "TrackingPlanTests", dependencies: ["TrackingPlan", "JSONSchema", "EventNaming"],
            swiftSettings: strict),
        .testTarget(
            name: "FakeDataTests",
            dependencies: [
                "FakeData", "CommandRunner", "JSONLines", "JSONSchema", "EventLog", "SeededChance", "TrackingPlan",
            ],
            exclude: ["Golden"], swiftSettings: strict),
        .testTarget(
            name: "PlanToolsTests",
            dependencies: ["PlanTools", "Digests", "TrackingPlan", "JSONSchema", "EventNaming"],
            swiftSettings: strict),
        .testTarget(
            name: "PlanCodegenTests",
            dependencies: ["PlanCodegen", "TrackingPlan", "JSONSchema", "EventNaming", "Tracking", "TrackingTesting"],
            exclude: ["Golden/refused-properties.txt", "Golden/refused-events.txt"], swiftSettings: strict),
        .testTarget(
            name: "EventLogTests",
            dependencies: ["CommandRunner", "EventLog", "Locking", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict
        ),
        .testTarget(name: "EventPathsTests", dependencies: ["EventPaths"], swiftSettings: strict),
        .testTarget(
            name: "EventQueryTests",
            dependencies: ["EventQuery", "CommandRunner", "EventLog", "EventPaths", "JSONLines", "Tracking"],
            swiftSettings: strict),
        .testTarget(
            name: "LogStatisticsTests", dependencies: ["CommandRunner", "LogStatistics", "EventLog", "EventQuery"],
            swiftSettings: strict),
        .testTarget(name: "MarkupTextTests", dependencies: ["MarkupText"], swiftSettings: strict),
        .testTarget(
            name: "BehaviourPagesTests", dependencies: ["BehaviourPages", "JSONLines"], exclude: ["Golden"],
            resources: [.copy("Resources")], swiftSettings: strict),
        .testTarget(name: "ChartPagesTests", dependencies: ["ChartPages"], swiftSettings: strict),
        .testTarget(
            name: "LogReplayTests",
            dependencies: [
                "LogReplay", "CommandRunner", "CommandSupport", "EventLog", "EventPaths", "EventQuery", "JSONLines",
                "Locking",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TrackingTests",
            dependencies: [
                "Tracking", "TrackingReplay", "TrackingTesting", "TrackingPlan", "TrackingValidation", "JSONLines",
                "Locking", "LookAlikes",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TrackingTestingTests", dependencies: ["TrackingTesting", "Tracking", "Locking"],
            exclude: ["Golden", "__Snapshots__"], swiftSettings: strict),
        .testTarget(name: "RecordSortingTests", dependencies: ["RecordSorting"], swiftSettings: strict),
        .testTarget(
            name: "ScaffoldingTests", dependencies: ["Scaffolding", "CommandRunner", "CommandSupport"],
            swiftSettings: strict),
        .testTarget(name: "TerminalTextTests", dependencies: ["TerminalText"], swiftSettings: strict),
        .testTarget(
            name: "EventFormatsTests",
            dependencies: [
                "EventFormats", "CommandRunner", "EventLog", "EventPaths", "JSONLines", "JSONSchema", "Tracking",
                "github-client",
            ],
            exclude: ["Golden"], swiftSettings: strict
        ),
        .testTarget(
            name: "GitHubClientTests",
            dependencies: [
                "GitHubClient", "SeededChance", "TestTimes", "Tracking", "TrackingReplay", "TrackingTesting",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GitHubTerminalTests",
            dependencies: ["GitHubTerminal", "GitHubClient", "Tracking", "TrackingTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScreenTests",
            dependencies: ["CommandRunner", "EventLog", "JSONLines", "LogFiles", "TestTimes", "github-client"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LogCareTests",
            dependencies: [
                "CommandRunner", "LogCare", "EventLog", "JSONLines", "LogFiles", "Tracking",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CommandRunner", "Digests", "EventLog", "JSONLines", "LogFiles", "Tracking", "trackctl",
                "github-client",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Golden"], resources: [.copy("Resources")], swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
