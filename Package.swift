// swift-tools-version: 6.1
import PackageDescription

/// What `TRACKING_SERVERS` adds to the package: nothing, the collector, or all servers. Apps never resolve the dependencies of
/// servers, and no product contains a server.
let servers = Context.environment["TRACKING_SERVERS"]
if let servers, !["collector", "all"].contains(servers) {
    fatalError("invalid TRACKING_SERVERS '\(servers)': set it to collector or all")
}
let withCollector = servers != nil
/// The servers that need libnats: forwarding and the loader.
let withStream = servers == "all"

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
/// For the files that differ with all servers.
let linked: [SwiftSetting] = withStream ? [.define("ALL_SERVERS")] : []

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
/// Resolved only with the trait `SwiftCrypto`.
let crypto = Target.Dependency.product(
    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["SwiftCrypto"]))
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// Whether this is a release build for Linux, by `tools/release` or `tools/install`. Its programs use only libcurl for HTTP
/// and load it at the first request. FoundationNetworking would load libcurl and its dependencies at each start.
let isRelease = Context.environment["TRACKING_RELEASE"] != nil

/// A library target in the folder of its group.
func module(
    _ name: String, in group: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource] = [], defines: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "\(group)/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict + defines)
}

/// A program in the folder of its group.
func program(
    _ name: String, in group: String, _ dependencies: [Target.Dependency], defines: [SwiftSetting] = []
) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "\(group)/\(name)", swiftSettings: strict + defines)
}

/// Tests, in the folder of the tested group.
func tests(
    _ name: String, in group: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(group)/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict)
}

// The base of all other targets: independent of SQLite, files and the plan.
let core = "Sources/Core"
let coreTargets: [Target] = [
    .target(name: "CAtomics", path: "\(core)/CAtomics"),
    .target(name: "CDigest", path: "\(core)/CDigest"),
    module("Primitives", in: core, ["CAtomics"]),
    module("LineDigests", in: core, ["CDigest", "Primitives"]),
    module("JSONLines", in: core, ["Primitives"]),
    module("EventModel", in: core, ["JSONLines", "Primitives"]),
    module("DeliveryProtocol", in: core, ["EventModel", "JSONLines", "Primitives"]),
    module("TextRendering", in: core),
    .systemLibrary(name: "CZlib", path: "\(core)/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
]

// The targets that an app embeds, and their tests.
let sdk = "Sources/SDK"
let sdkTargets: [Target] = [
    module("Flux", in: sdk, ["Primitives"]),
    module("EventLog", in: sdk, ["EventModel", "JSONLines", "Primitives", grdb, sqlite]),
    module(
        "TrackingCore", in: sdk,
        ["DeliveryProtocol", "Flux", "JSONLines", "EventLog", "EventModel", "Primitives"],
        resources: [.copy("PrivacyInfo.xcprivacy")]),
    module("TrackingDomainEvents", in: sdk, ["TrackingCore"]),
    module("TrackingLifeCycle", in: sdk, ["Primitives", "TrackingCore"]),
    .target(
        name: "CLibcurl", path: "\(sdk)/CLibcurl",
        linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    module(
        "DeliveryHTTP", in: sdk, ["CLibcurl", "CZlib", "DeliveryProtocol", "EventModel", "JSONLines", "Primitives"],
        exclude: isRelease ? ["Transport/SessionExchanges.swift", "Transport/URLSessionTransport.swift"] : [],
        defines: isRelease ? [.define("WITHOUT_URL_SESSION")] : []),
    module(
        "TrackingHTTP", in: sdk,
        ["DeliveryHTTP", "DeliveryProtocol", "EventModel", "JSONLines", "Primitives", "TrackingCore"]),
    module(
        "Tracking", in: sdk,
        [
            "DeliveryProtocol", "EventLog", "EventModel", "Flux", "JSONLines", "Primitives", "TrackingCore",
            "TrackingHTTP",
        ],
        defines: [
            // Parts of Apple's frameworks that some platforms lack although they have the module.
            .define("UIKIT_APPS", .when(platforms: [.iOS, .tvOS, .visionOS, .macCatalyst])),
            .define("APPKIT_APPS", .when(platforms: [.macOS])),
            .define("NOTIFICATION_RESPONSES", .when(platforms: [.iOS, .macCatalyst, .macOS, .visionOS, .watchOS])),
            .define("NOTIFICATION_SETTINGS", .when(platforms: [.iOS, .macCatalyst, .macOS, .visionOS])),
        ]),
    // Empty without the trait `SwiftCrypto`.
    module("TrackingCrypto", in: sdk, ["TrackingCore", crypto]),
    module("TrackingReplay", in: sdk, ["TrackingCore", "JSONLines", "Primitives"]),
    module("TrackingValidation", in: sdk, ["TrackingCore", "TrackingPlan", "Primitives"]),
    module(
        "TrackingTesting", in: sdk,
        [
            "TrackingCore", "EventLog", "EventModel", "TrackingValidation", "TrackingPlan", "FakeData", "JSONSchema",
            "Primitives",
        ]),
]

// The plan: JSON Schema, and generators that read schemas. It builds without Tracking, because an invalid schema could break
// the build of Tracking.
let plan = "Sources/Plan"
let planTargets: [Target] = [
    .target(name: "CThreadStack", path: "\(plan)/CThreadStack"),
    module("JSONSchema", in: plan, ["CThreadStack", "Primitives"]),
    module("TrackingPlan", in: plan, ["JSONSchema", "EventModel", "Primitives"]),
    module(
        "PlanLint", in: plan, ["TrackingPlan", "JSONSchema", "EventModel"], resources: [.embedInCode("Examples")]),
    module(
        "PlanDiff", in: plan, ["TrackingPlan", "JSONSchema", "EventModel", "Primitives"],
        resources: [.embedInCode("Examples")]),
    module(
        "PlanPages", in: plan,
        ["PlanLint", "PlanDiff", "TrackingPlan", "JSONSchema", "EventModel", "Primitives", "TextRendering"]),
    module("PlanCodegen", in: plan, ["TrackingPlan", "JSONSchema", "EventModel"]),
    module("FakeData", in: plan, ["TrackingPlan", "JSONSchema", "JSONLines", "EventModel", "Primitives"]),
    module(
        "Scaffolding", in: plan,
        [
            "EventModel", "JSONLines", "JSONSchema", "LogFiles", "PlanCodegen", "PlanDiff", "PlanLint", "PlanPages",
            "Primitives", "TrackingPlan",
        ], resources: [.embedInCode("Templates")]),
    program("tracking-codegen", in: plan, ["PlanCodegen"]),
    .plugin(
        name: "TrackingEventsPlugin", capability: .buildTool(), dependencies: ["tracking-codegen"],
        path: "\(plan)/TrackingEventsPlugin"),
]

// Targets that read, select, count, rewrite and repair logs.
let logs = "Sources/Logs"
let logsTargets: [Target] = [
    .systemLibrary(name: "CZstd", path: "\(logs)/CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    module("LogFiles", in: logs, ["CZlib", "CZstd", "JSONLines", "Primitives"]),
    module("EventQuery", in: logs, ["EventModel", "JSONLines"]),
    module("EventFormats", in: logs, ["EventModel", "JSONLines", "JSONSchema", "Primitives", "TextRendering"]),
    module("LogStatistics", in: logs, ["EventQuery", "EventModel", "JSONLines"]),
    module("EventImport", in: logs, ["EventFormats", "EventModel", "EventQuery", "JSONLines", "Primitives"]),
    module(
        "LogMaintenance", in: logs,
        [
            "DeliveryProtocol", "EventLog", "EventModel", "JSONLines", "LogFiles", "Primitives", "TextRendering", grdb,
        ]),
    module(
        "LogReplay", in: logs,
        [
            "DeliveryHTTP", "DeliveryProtocol", "EventLog", "EventModel", "EventQuery", "JSONLines", "LogFiles",
            "Primitives", "CZlib",
        ]),
]

// The command line.
let trackctl = "Sources/Trackctl"
let trackctlTargets: [Target] = [
    module(
        "CommandSupport", in: trackctl,
        ["JSONLines", "LogFiles", "Primitives", "TextRendering", argumentParser]),
    module("ReportPages", in: trackctl, ["JSONLines", "TextRendering"]),
    module(
        "TrackctlCommands", in: trackctl,
        [
            "DeliveryHTTP", "DeliveryProtocol", "ReportPages", "EventFormats", "EventImport", "EventLog", "EventModel",
            "EventQuery", "FakeData",
            "JSONLines", "Primitives", "LogMaintenance", "LogFiles", "LogReplay", "LogStatistics", "CommandSupport",
            "TrackingPlan",
            "PlanLint", "PlanDiff", "PlanPages", "PlanCodegen", "JSONSchema", "Scaffolding", "TextRendering",
            argumentParser,
        ] + (withStream ? ["StreamClient", "WarehouseReading", "WarehouseStores"] : []), defines: linked),
    program("trackctl", in: trackctl, ["TrackctlCommands"]),
]

// The collector.
let collector = "Sources/Collector"
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package)
}
let serverPackages: [Package.Dependency] = [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
]
let serverDependencies = [
    server("Hummingbird", "hummingbird"), server("HummingbirdCore", "hummingbird"),
    server("ServiceLifecycle", "swift-service-lifecycle"),
    server("Logging", "swift-log"),
    server("Metrics", "swift-metrics"), server("CoreMetrics", "swift-metrics"), server("NIOCore", "swift-nio"),
    server("NIOPosix", "swift-nio"), server("NIOHTTP1", "swift-nio"),
    server("NIOFoundationCompat", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
    server("NIOHTTPTypes", "swift-nio-extras"),
    server("HTTPTypes", "swift-http-types"),
    crypto,
]
let collectorTargets: [Target] = [
    module(
        "CollectorStore", in: collector,
        [
            "CDigest", "DeliveryProtocol", "EventLog", "EventModel", "JSONLines", "LineDigests", "Primitives", grdb,
            sqlite,
        ]),
    module(
        "CollectorIntake", in: collector,
        [
            "CollectorStore", "CZlib", "CZstd", "DeliveryProtocol", "EventModel", "JSONLines", "Primitives",
            "TrackingPlan",
        ]),
    module(
        "CollectorFeed", in: collector,
        [
            "CollectorIntake", "CollectorStore", "DeliveryProtocol", "EventFormats", "EventModel", "EventQuery",
            "JSONLines", "PlanPages", "Primitives", "TrackingPlan",
        ]),
    module(
        "CollectorStatistics", in: collector,
        ["CollectorStore", "DeliveryProtocol", "EventLog", "EventModel", "EventQuery", "Primitives", grdb]),
    module(
        "CollectorClients", in: collector,
        [
            "CollectorIntake", "CollectorStore", "DeliveryProtocol", "EventImport", "EventModel", "EventQuery",
            "JSONLines", "LineDigests",
        ],
        resources: ["segment", "cloudevents", "otlp", "snowplow"].map { .embedInCode("Resources/\($0).json") }),
    module(
        "CollectorServer", in: collector,
        [
            "CollectorClients", "CollectorFeed", "CollectorIntake", "CollectorStatistics", "CollectorStore",
            "DeliveryProtocol", "EventFormats", "EventModel", "JSONLines", "LineDigests", "PlanCodegen", "PlanPages",
            "Primitives", "TrackingPlan",
        ] + serverDependencies,
        resources: [
            .embedInCode("Resources/openapi.json"), .embedInCode("Resources/live.html"),
        ]),
    program(
        "collector", in: collector,
        [
            "CollectorClients", "CollectorIntake", "CollectorServer", "CollectorStore", "CommandSupport", "EventModel",
            argumentParser, server("Logging", "swift-log"), server("NIOCore", "swift-nio"),
            server("ServiceLifecycle", "swift-service-lifecycle"),
            server("UnixSignals", "swift-service-lifecycle"),
        ] + (withStream ? ["CollectorForwarding"] : []), defines: linked),
]

// What is behind the collectors: the stream, and the loader that writes it to ClickHouse and folders.
let warehouse = "Sources/Warehouse"
let nats = Target.Dependency.target(name: "CNATS")
let warehouseTargets: [Target] = [
    module(
        "CollectorForwarding", in: collector,
        [
            "CollectorServer", "CollectorStore", "DeliveryProtocol", "EventLog", "EventModel", "JSONLines",
            "Primitives", "StreamClient", "StreamProtocol", server("Logging", "swift-log"),
        ]),
    .systemLibrary(
        name: "CNATS", path: "\(warehouse)/CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    module(
        "StreamProtocol", in: warehouse, ["DeliveryProtocol", "EventModel", "JSONLines", "LineDigests", "Primitives"]),
    module("StreamClient", in: warehouse, ["JSONLines", "Primitives", "StreamProtocol", nats]),
    module(
        "WarehouseBlocks", in: warehouse,
        [
            "DeliveryProtocol", "EventFormats", "EventLog", "EventModel", "JSONLines", "LineDigests", "Primitives",
            "StreamProtocol", grdb,
        ]),
    module(
        "WarehouseStores", in: warehouse,
        [
            "CZstd", "DeliveryHTTP", "DeliveryProtocol", "EventLog", "EventModel", "JSONLines", "LineDigests",
            "LogFiles", "Primitives", "StreamProtocol", "WarehouseBlocks",
        ]),
    module(
        "WarehouseReading", in: warehouse,
        [
            "DeliveryProtocol", "JSONLines", "LineDigests", "LogMaintenance", "StreamClient", "StreamProtocol",
            "WarehouseBlocks", "WarehouseStores",
        ]),
    module(
        "WarehouseLoading", in: warehouse,
        [
            "EventModel", "JSONLines", "LineDigests", "LogFiles", "Primitives", "StreamClient", "StreamProtocol",
            "WarehouseBlocks", "WarehouseStores",
        ]),
    program(
        "loader", in: warehouse,
        [
            "CommandSupport", "EventModel", "StreamClient", "TextRendering", "WarehouseLoading", "WarehouseStores",
            argumentParser,
        ]),
]

// The sample app.
let sample = "Sources/Sample"
let sampleTargets: [Target] = [
    module(
        "GitHubClient", in: sample,
        ["Tracking", "TrackingCore", "TrackingDomainEvents", "TrackingReplay", "JSONLines", "Primitives"],
        exclude: ["Schemas"],
        resources: [.copy("Resources/sample-activity.jsonl"), .copy("Resources/sample-repositories.jsonl")]),
    module(
        "GitHubTerminal", in: sample,
        ["GitHubClient", "TrackingCore", "JSONLines", "LogFiles", "Primitives", "TextRendering"]),
    program(
        "github-client", in: sample,
        [
            "GitHubClient", "GitHubTerminal", "Tracking", "TrackingCore", "TrackingHTTP", "TrackingReplay", "EventLog",
            "JSONLines", "LogFiles", "CommandSupport", "Primitives", "TextRendering", argumentParser,
        ]),
]

// Benchmarks, crash tests and the validator's verdicts. They are built only with `TRACKING_TOOLS=1 swift build`, which the
// scripts in `tools` use. They are in this package for `package` access.
let withTools = Context.environment["TRACKING_TOOLS"] != nil
let toolTargets: [Target] = [
    .target(name: "CBaselines", path: "tools/bench/CBaselines", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
        name: "benchmarks",
        dependencies: [
            "CBaselines", "EventLog", "EventModel", "Flux", "JSONLines", "JSONSchema", "Primitives", "Tracking",
            "TrackingCore", "TrackingDomainEvents",
        ],
        path: "tools/bench/Runner", swiftSettings: strict),
    .executableTarget(
        name: "schema-verdicts", dependencies: ["JSONSchema"], path: "tools/checks/agreement/SchemaVerdicts",
        swiftSettings: strict),
    module("CrashSupport", in: "tools/crash", ["TrackingCore", "Primitives"]),
    program(
        "crash-sender", in: "tools/crash",
        [
            "CrashSupport", "EventLog", "LogFixtures", "Tracking", "TrackingCore", "CommandSupport", "Primitives", grdb,
            argumentParser,
        ]),
    program(
        "collector-sender", in: "tools/crash",
        ["CrashSupport", "EventLog", "TrackingHTTP", "CommandSupport", "Primitives", argumentParser]),
    .executableTarget(
        name: "cluster-sender",
        dependencies: [
            "CommandSupport", "DeliveryHTTP", "EventLog", "EventModel", "JSONLines", "Primitives", "TrackingCore",
            "TrackingHTTP", argumentParser,
        ],
        path: "tools/cluster/Sender", swiftSettings: strict),
    program(
        "crash-harness", in: "tools/crash",
        [
            "CrashSupport", "DeliveryProtocol", "TrackingCore", "TrackingDomainEvents", "EventLog", "EventModel",
            "JSONLines", "Primitives",
            grdb,
            argumentParser,
        ]),
]

let simulation = Target.executableTarget(
    name: "simulation",
    dependencies: [
        "DeliveryProtocol", "EventFormats", "EventModel", "Primitives", "StreamProtocol", "TrackingCore",
        "WarehouseBlocks", grdb, argumentParser,
    ],
    path: "tools/simulation/Simulation", swiftSettings: strict)

// The fuzz targets that libFuzzer calls. By default they are part of the tests, which replay every case; with
// `TRACKING_TOOLS=1` they are a separate module for the fuzzer.
let fuzzed: [Target.Dependency] = [
    "CommandSupport", "EventFormats", "EventImport", "EventLog", "EventModel", "EventQuery", "JSONLines", "JSONSchema",
    "Primitives",
    "LogFiles", "TrackingCore", "TrackingDomainEvents", "TrackingPlan", "TrackingReplay", "TrackctlCommands",
    "CollectorClients", "CollectorIntake", "CollectorStore", "CZlib", "CZstd", "DeliveryProtocol",
]
let fuzzTargets: [Target] =
    withTools
    ? [
        .target(name: "FuzzDriver", path: "tools/fuzz/Driver"),
        .target(name: "FuzzTargets", dependencies: fuzzed, path: "tools/fuzz/Targets", swiftSettings: strict),
        .executableTarget(
            name: "fuzzer", dependencies: ["FuzzDriver", "FuzzTargets"], path: "tools/fuzz/Fuzzer",
            swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets"], path: "tools/fuzz/Tests",
            swiftSettings: strict + [.define("FUZZ_TARGETS_ARE_A_MODULE")]),
    ]
    : [
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "tools/fuzz",
            exclude: ["Driver", "Fuzzer", "cases", "dictionaries", "run"], sources: ["Targets", "Tests"],
            swiftSettings: strict)
    ]

let testTargets: [Target] = [
    module("LookAlikes", in: "Tests/Support"),
    module("CommandRunner", in: "Tests/Support", ["Primitives"]),
    module("TestTimes", in: "Tests/Support"),
    module("LogFixtures", in: "Tests/Support", ["EventLog", "EventModel", "Primitives"]),
    module("LoopbackServer", in: "Tests/Support", ["Primitives"]),
    program("log-writer", in: "Tests/Support", ["EventLog", "EventModel", "LogFixtures"]),
    module("TrackerFixtures", in: "Tests/Support", ["EventLog", "EventModel", "Flux", "Primitives", "TrackingCore"]),

    tests("PrimitivesTests", in: "Core", ["Primitives"]),
    tests("JSONLinesTests", in: "Core", ["JSONLines"]),
    tests("EventModelTests", in: "Core", ["EventModel"]),
    tests(
        "DeliveryProtocolTests", in: "Core",
        ["DeliveryProtocol", "EventModel", "JSONLines", "JSONSchema", "Primitives"]),
    tests("TextRenderingTests", in: "Core", ["TextRendering"]),

    tests("FluxTests", in: "SDK", ["Flux", "Primitives"]),
    tests(
        "EventLogTests", in: "SDK",
        ["CommandRunner", "EventLog", "EventModel", "LogFixtures", "Primitives", "log-writer", grdb],
        resources: [.copy("Resources")]),
    tests(
        "TrackingCoreTests", in: "SDK",
        [
            "TrackingCore", "TrackingDomainEvents", "TrackingReplay", "TrackingTesting", "TrackingPlan",
            "TrackingValidation", "DeliveryProtocol", "EventLog",
            "EventModel", "JSONLines", "LogFixtures", "Primitives", "LookAlikes",
        ]),
    tests(
        "TrackingTests", in: "SDK",
        [
            "CommandRunner", "DeliveryProtocol", "EventLog", "LogFixtures", "Primitives", "TrackerFixtures", "Tracking",
            "TrackingCore", "TrackingLifeCycle", "TrackingTesting",
        ]),
    tests(
        "ArticleTests", in: "SDK",
        ["CommandRunner", "Tracking", "TrackingCore", "TrackingDomainEvents", "TrackingReplay", "TrackingTesting"],
        exclude: ["Schemas"]),
    tests(
        "TrackingHTTPTests", in: "SDK",
        [
            "TrackingHTTP", "DeliveryHTTP", "DeliveryProtocol", "EventLog", "EventModel", "JSONLines", "LogFixtures",
            "LoopbackServer", "Primitives", "TrackingCore", "TrackingDomainEvents", "TrackingTesting", "CommandRunner",
            "CZlib",
        ]),
    tests(
        "TrackingLifeCycleTests", in: "SDK",
        ["Primitives", "TrackingCore", "TrackingLifeCycle", "TrackingPlan", "TrackingTesting"]),
    tests(
        "TrackingTestingTests", in: "SDK", ["TrackingTesting", "TrackingCore", "TrackingDomainEvents", "Primitives"],
        exclude: ["Golden", "__Snapshots__"]),

    tests(
        "JSONSchemaTests", in: "Plan", ["JSONSchema", "CommandRunner", "JSONLines", "LogFiles", "Primitives"],
        exclude: ["JSONSchemaTestSuite"], resources: [.copy("Resources")]),
    tests("TrackingPlanTests", in: "Plan", ["TrackingPlan", "JSONSchema", "EventModel"]),
    tests("PlanLintTests", in: "Plan", ["PlanLint", "TrackingPlan"]),
    tests("PlanDiffTests", in: "Plan", ["PlanDiff", "TrackingPlan", "JSONSchema", "EventModel"]),
    tests("PlanPagesTests", in: "Plan", ["PlanPages", "PlanDiff", "Primitives", "TrackingPlan"]),
    tests(
        "PlanCodegenTests", in: "Plan",
        [
            "PlanCodegen", "EventModel", "TrackingPlan", "JSONSchema", "Tracking", "TrackingCore",
            "TrackingDomainEvents",
            "TrackingLifeCycle", "TrackingTesting",
        ],
        exclude: ["Golden/refused-properties.txt", "Golden/refused-events.txt"]),
    tests(
        "FakeDataTests", in: "Plan",
        [
            "FakeData", "CommandRunner", "JSONSchema", "EventModel", "TrackingPlan",
        ],
        exclude: ["Golden"]),
    tests("ScaffoldingTests", in: "Plan", ["Scaffolding", "CommandRunner", "LogFiles"]),

    tests("LogFilesTests", in: "Logs", ["LogFiles", "CommandRunner"]),
    tests(
        "EventQueryTests", in: "Logs",
        ["EventQuery", "CommandRunner", "EventModel", "JSONLines"]),
    tests(
        "EventFormatsTests", in: "Logs",
        [
            "EventFormats", "CommandRunner", "EventModel", "JSONLines", "JSONSchema", "TrackingCore",
            "TrackingDomainEvents", "github-client",
        ], exclude: ["Golden"]),
    tests(
        "LogStatisticsTests", in: "Logs", ["CommandRunner", "LogStatistics", "EventModel", "EventQuery"]),
    tests(
        "LogReplayTests", in: "Logs",
        [
            "LogReplay", "CommandRunner", "DeliveryHTTP", "DeliveryProtocol", "EventLog", "EventModel", "EventQuery",
            "JSONLines", "LogFixtures", "LoopbackServer", "Primitives",
        ]),
    tests(
        "LogMaintenanceTests", in: "Logs",
        [
            "CommandRunner", "DeliveryProtocol", "LogMaintenance", "EventLog", "EventModel", "LogFiles", "LogFixtures",
            grdb,
        ]),

    tests(
        "CommandSupportTests", in: "Trackctl",
        [
            "CommandSupport", "EventLog", "FakeData", "GitHubTerminal", "LogMaintenance", "LogFiles", "LogReplay",
            "Primitives", "Scaffolding", "TrackingCore", "TrackingPlan",
        ]),
    tests(
        "ReportPagesTests", in: "Trackctl", ["ReportPages", "JSONLines"], exclude: ["Behaviour/Golden"],
        resources: [.copy("Behaviour/Resources")]),
    tests(
        "CommandTests", in: "Trackctl",
        [
            "CommandRunner", "DeliveryProtocol", "Primitives", "EventLog", "EventModel", "JSONLines", "LogFiles",
            "LoopbackServer", "TrackingCore", "TrackctlCommands", "trackctl", "github-client", grdb,
        ], exclude: ["Golden"], resources: [.copy("Resources")]),

    tests(
        "GitHubClientTests", in: "Sample",
        [
            "GitHubClient", "Primitives", "TestTimes", "TrackingCore", "TrackingDomainEvents", "TrackingReplay",
            "TrackingTesting",
        ]),
    tests("GitHubTerminalTests", in: "Sample", ["GitHubTerminal", "GitHubClient", "TrackingTesting"]),
    tests(
        "ScreenTests", in: "Sample",
        [
            "CommandRunner", "EventLog", "EventModel", "JSONLines", "LogFiles", "Primitives", "TestTimes",
            "github-client",
        ]),
]

let collectorTests: [Target] = [
    module(
        "CollectorFixtures", in: "Tests/Support",
        ["CollectorStore", "CZlib", "CZstd", "DeliveryProtocol", "EventModel", "JSONLines"]),
    program("batch-writer", in: "Tests/Support", ["CollectorFixtures", "CollectorStore", "DeliveryProtocol"]),

    tests(
        "CollectorStoreTests", in: "Collector",
        [
            "CDigest", "CollectorFixtures", "CollectorStore", "CommandRunner", "DeliveryProtocol", "EventLog",
            "EventModel", "LineDigests", "Primitives", "batch-writer", grdb, sqlite,
        ], resources: [.copy("Resources")]),
    tests(
        "CollectorIntakeTests", in: "Collector",
        [
            "CollectorFixtures", "CollectorIntake", "CollectorStore", "CommandRunner", "DeliveryProtocol", "EventModel",
            "JSONLines", "TrackingPlan",
        ]),

    tests(
        "CollectorClientsTests", in: "Collector",
        [
            "CollectorClients", "CollectorIntake", "CollectorStore", "CommandRunner", "DeliveryProtocol", "EventModel",
            "JSONLines",
        ]),
    tests(
        "CollectorFeedTests", in: "Collector",
        [
            "CollectorFeed", "CollectorFixtures", "CollectorIntake", "CollectorStore", "CommandRunner",
            "DeliveryProtocol", "EventModel", "JSONLines", "Primitives",
        ]),
    tests(
        "CollectorStatisticsTests", in: "Collector",
        [
            "CollectorFixtures", "CollectorIntake", "CollectorStatistics", "CollectorStore", "CommandRunner",
            "DeliveryProtocol", "EventModel", grdb,
        ]),
    tests(
        "CollectorServerTests", in: "Collector",
        [
            "CollectorFixtures", "CollectorIntake", "CollectorServer", "CollectorStore",
            "CommandRunner",
            "DeliveryHTTP",
            "DeliveryProtocol", "EventLog", "EventModel", "JSONLines", "LogFixtures", "LogReplay",
            "Primitives", "TrackingCore", "TrackingDomainEvents",
            "Tracking", "TrackingCrypto", "TrackingHTTP", "TrackingTesting", "collector",
            server("CoreMetrics", "swift-metrics"),
            server("Logging", "swift-log"),
            server("ServiceLifecycle", "swift-service-lifecycle"),
        ] + (withStream ? ["CollectorForwarding", "NATSServer", "StreamClient", "StreamProtocol"] : []),
        exclude: withStream ? [] : ["ForwardingTests.swift"]),
]

let warehouseTests: [Target] = [
    module("NATSServer", in: "Tests/Support", ["CommandRunner"]),
    tests(
        "CollectorForwardingTests", in: "Collector",
        [
            "CollectorFixtures", "CollectorForwarding", "CollectorStore", "CommandRunner", "DeliveryProtocol",
            "EventModel", "NATSServer", "Primitives", "StreamClient", "StreamProtocol",
        ]),
    tests(
        "StreamClientTests", in: "Warehouse",
        ["CommandRunner", "NATSServer", "Primitives", "StreamClient", "StreamProtocol"]),
    tests(
        "StreamProtocolTests", in: "Warehouse", ["DeliveryProtocol", "EventModel", "Primitives", "StreamProtocol"]),
    tests(
        "WarehouseTests", in: "Warehouse",
        [
            "CommandRunner", "DeliveryHTTP", "DeliveryProtocol", "EventModel", "JSONLines", "LogFiles", "NATSServer",
            "Primitives", "StreamClient", "StreamProtocol", "WarehouseBlocks", "WarehouseLoading", "WarehouseStores",
            grdb,
        ]),
]

// Only libraries for apps are products, because an app resolves the dependencies of all products. `trackctl` and the sample
// app are not products: they build and run in a checkout, and ArgumentParser is not in the dependency graph of apps.
// `tools/checks/slim` checks this.
let package = Package(
    name: "swift-tracking",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Tracking", targets: ["Tracking", "TrackingCore"]),
        .library(name: "TrackingCrypto", targets: ["TrackingCrypto"]),
        .library(name: "TrackingDomainEvents", targets: ["TrackingDomainEvents"]),
        .library(name: "TrackingHTTP", targets: ["TrackingHTTP"]),
        .library(name: "TrackingLifeCycle", targets: ["TrackingLifeCycle"]),
        .library(name: "TrackingTesting", targets: ["TrackingTesting"]),
        .library(name: "TrackingReplay", targets: ["TrackingReplay"]),
        .library(name: "TrackingValidation", targets: ["TrackingValidation"]),
        .library(name: "JSONSchema", targets: ["JSONSchema"]),
        .plugin(name: "TrackingEventsPlugin", targets: ["TrackingEventsPlugin"]),
    ],
    traits: [
        .trait(
            name: "SwiftCrypto",
            description: "Verifies and signs remote switches with swift-crypto, for systems without CryptoKit."),
        // The servers sign switches.
        .default(enabledTraits: withStream ? ["SwiftCrypto"] : []),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Resolved only with the trait `SwiftCrypto`.
        .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
    ] + (withCollector ? serverPackages : []),
    targets: coreTargets + sdkTargets + planTargets + logsTargets + trackctlTargets + sampleTargets + testTargets
        + (withCollector ? collectorTargets + collectorTests + fuzzTargets : [])
        + (withStream ? warehouseTargets + warehouseTests : [])
        + (withTools ? toolTargets : []) + (withTools && withStream ? [simulation] : []),
    swiftLanguageModes: [.v6]
)

// Stub modules for the parts of Apple's frameworks that the SDK uses. `make apple` builds with `TRACKING_APPLE_STUBS=1`, which
// compiles the code for Apple platforms on Linux, with tests that run it. All targets of such a build see the stubs.
if Context.environment["TRACKING_APPLE_STUBS"] != nil {
    let stubs = "tools/apple-stubs"
    package.targets += ["AppleFoundation", "AppKit", "SwiftUI", "UserNotifications", "os"].map { module($0, in: stubs) }
    package.targets.append(module("UIKit", in: stubs, ["AppleFoundation"]))
    let users = [
        "EventLog": ["AppleFoundation"], "TrackingCore": ["AppleFoundation"],
        "Tracking": ["AppKit", "SwiftUI", "UIKit", "UserNotifications", "os"],
    ]
    let defines = ["APPLE_STUBS", "APPKIT_APPS", "UIKIT_APPS", "NOTIFICATION_RESPONSES", "NOTIFICATION_SETTINGS"]
    for (name, modules) in users {
        guard let target = package.targets.first(where: { $0.name == name }) else { continue }
        target.dependencies += modules.map { .init(stringLiteral: $0) }
        target.swiftSettings? += defines.map { .define($0) }
        // `make apple` also builds copies of the adapters with planted errors, which the tests must find.
        if name == "Tracking", let copy = Context.environment["TRACKING_MISSPELT"] { target.path = copy }
    }
    // Swift Testing has a module with this name for UIKit.
    let withoutOverlays = [SwiftSetting.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
    package.targets.append(
        .testTarget(
            name: "AppleAdapterTests",
            dependencies: [
                "AppKit", "AppleFoundation", "EventLog", "JSONLines", "Primitives", "SwiftUI", "TrackerFixtures",
                "Tracking", "TrackingCore", "UIKit", "UserNotifications", "os",
            ],
            path: "\(stubs)/AppleAdapterTests",
            swiftSettings: strict + withoutOverlays))
    // Example apps; the plugin generates their events and pages.
    for (name, modules) in [("SwiftUIApp", ["SwiftUI"]), ("UIKitApp", ["UIKit", "UserNotifications"])] {
        let used = (["Tracking"] + modules).map { Target.Dependency(stringLiteral: $0) }
        package.targets += [
            .executableTarget(
                name: name, dependencies: used, path: "Sources/Examples/\(name)", exclude: ["Schemas"],
                swiftSettings: strict, plugins: ["TrackingEventsPlugin"]),
            .testTarget(
                name: name + "Tests", dependencies: used + [.init(stringLiteral: name), "TrackingTesting"],
                path: "Tests/Examples/\(name)Tests", swiftSettings: strict + withoutOverlays),
        ]
    }
}

// `TRACKING_ONLY=EventLogTests,FluxTests swift test` builds only these targets and their dependencies.
if let names = Context.environment["TRACKING_ONLY"] {
    var waiting = names.split(separator: ",").map(String.init)
    var wanted: Set<String> = []
    while let name = waiting.popLast() {
        guard wanted.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products = []
}
