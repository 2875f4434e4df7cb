// swift-tools-version: 6.1
import PackageDescription

/// What `TRACKING_SERVERS` adds to the package: nothing, the collector, or all servers, which need libnats. No product contains
/// a server, and apps never resolve the dependencies of servers.
let servers = Context.environment["TRACKING_SERVERS"]
let withCollector = servers == "collector" || servers == "all"
let withStream = servers == "all"
if servers != nil, !withCollector { fatalError("invalid TRACKING_SERVERS; set it to collector or all, or unset it") }
/// Benchmarks, crash tests, the simulation and the fuzzer, which the scripts in `tools` build. They are in this package for
/// `package` access.
let withTools = Context.environment["TRACKING_TOOLS"] != nil
/// Whether this is a release build for Linux, by `tools/release` or `tools/install`. Its programs use only libcurl for HTTP
/// and load it at the first request. FoundationNetworking would load libcurl and its dependencies at each start.
let isRelease = Context.environment["TRACKING_RELEASE"] != nil

let strict: [SwiftSetting] =
    ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }
    // The index of system modules takes a tenth of the compilers' time.
    + (withCollector ? [.unsafeFlags(["-index-ignore-system-modules"])] : [])
/// For the targets that differ with all servers.
let linked: [SwiftSetting] = withStream ? [.define("ALL_SERVERS")] : []

/// The packages of the products that targets use.
let packages = [
    "ArgumentParser": "swift-argument-parser", "CoreMetrics": "swift-metrics", "Crypto": "swift-crypto",
    "GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift", "HTTPTypes": "swift-http-types", "Hummingbird": "hummingbird",
    "HummingbirdCore": "hummingbird", "Logging": "swift-log", "Metrics": "swift-metrics", "NIOCore": "swift-nio",
    "NIOEmbedded": "swift-nio", "NIOHTTP1": "swift-nio", "NIOHTTPTypes": "swift-nio-extras",
    "NIOHTTPTypesHTTP1": "swift-nio-extras",
    "NIOPosix": "swift-nio", "NIOSSL": "swift-nio-ssl", "ServiceLifecycle": "swift-service-lifecycle",
    "UnixSignals": "swift-service-lifecycle",
]

/// Targets and products by their names, separated by spaces.
func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.flatMap { $0.split(separator: " ").map(String.init) }.map { name in
        guard let package = packages[name] else { return .init(stringLiteral: name) }
        return .product(
            name: name, package: package, condition: name == "Crypto" ? .when(traits: ["SwiftCrypto"]) : nil)
    }
}

/// A library target in the folder of its group.
func module(
    _ name: String, in group: String, _ names: String..., exclude: [String] = [], resources: [Resource] = [],
    defines: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies(names), path: "\(group)/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict + defines)
}

/// A program in the folder of its group, or in another one.
func program(
    _ name: String, in group: String, at path: String? = nil, _ names: String..., defines: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies(names), path: "\(group)/\(path ?? name)", swiftSettings: strict + defines
    )
}

/// Tests, in the folder of the tested group.
func tests(
    _ name: String, in group: String, _ names: String..., exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies(names), path: "Tests/\(group)/\(name)", exclude: exclude,
        resources: resources, swiftSettings: strict)
}

// The base of all other targets: independent of SQLite, files and the plan.
let core = "Sources/Core"
let coreTargets: [Target] = [
    module("CAtomics", in: core),
    module("CDigest", in: core),
    module("Primitives", in: core, "CAtomics CDigest"),
    module("JSONLines", in: core, "Primitives"),
    module("EventModel", in: core, "JSONLines Primitives"),
    module("DeliveryProtocol", in: core, "EventModel JSONLines Primitives"),
    module("TextRendering", in: core),
    .systemLibrary(name: "CZlib", path: "\(core)/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
]

// The targets that an app embeds, and their tests.
let sdk = "Sources/SDK"
let sdkTargets: [Target] = [
    .target(
        name: "CLibcurl", path: "\(sdk)/CLibcurl",
        linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    module("Flux", in: sdk, "Primitives"),
    module("EventLog", in: sdk, "EventModel JSONLines Primitives GRDB GRDBSQLite"),
    module(
        "TrackingCore", in: sdk,
        "DeliveryProtocol EventLog EventModel Flux JSONLines Primitives", resources: [.copy("PrivacyInfo.xcprivacy")]),
    module("TrackingDomainEvents", in: sdk, "TrackingCore"),
    module("TrackingLifeCycle", in: sdk, "Primitives TrackingCore"),
    module(
        "DeliveryHTTP", in: sdk, "CLibcurl CZlib DeliveryProtocol EventModel JSONLines Primitives",
        exclude: isRelease ? ["Transport/SessionExchanges.swift", "Transport/URLSessionTransport.swift"] : [],
        defines: isRelease ? [.define("WITHOUT_URL_SESSION")] : []),
    module("TrackingHTTP", in: sdk, "DeliveryHTTP DeliveryProtocol EventModel JSONLines Primitives TrackingCore"),
    module(
        "Tracking", in: sdk,
        "DeliveryProtocol EventLog EventModel Flux JSONLines Primitives TrackingCore TrackingHTTP",
        defines: [
            // Parts of Apple's frameworks that some platforms lack although they have the module.
            .define("UIKIT_APPS", .when(platforms: [.iOS, .tvOS, .visionOS, .macCatalyst])),
            .define("APPKIT_APPS", .when(platforms: [.macOS])),
            .define("NOTIFICATION_RESPONSES", .when(platforms: [.iOS, .macCatalyst, .macOS, .visionOS, .watchOS])),
            .define("NOTIFICATION_SETTINGS", .when(platforms: [.iOS, .macCatalyst, .macOS, .visionOS])),
        ]),
    // Empty without the trait `SwiftCrypto`.
    module("TrackingCrypto", in: sdk, "TrackingCore Crypto"),
    module("TrackingReplay", in: sdk, "JSONLines Primitives TrackingCore"),
    module("TrackingValidation", in: sdk, "Primitives TrackingCore TrackingPlan"),
    module(
        "TrackingTesting", in: sdk,
        "EventLog EventModel FakeData JSONSchema Primitives TrackingCore TrackingPlan TrackingValidation"),
]

// The plan: JSON Schema, and generators that read schemas. It builds without Tracking, because an invalid schema could break
// the build of Tracking.
let plan = "Sources/Plan"
let planTargets: [Target] = [
    module("CThreadStack", in: plan),
    module("JSONSchema", in: plan, "CThreadStack Primitives"),
    module("TrackingPlan", in: plan, "EventModel JSONSchema Primitives"),
    module("PlanLint", in: plan, "EventModel JSONSchema TrackingPlan", resources: [.embedInCode("Examples")]),
    module(
        "PlanDiff", in: plan, "EventModel JSONSchema Primitives TrackingPlan", resources: [.embedInCode("Examples")]),
    module("PlanPages", in: plan, "EventModel JSONSchema PlanDiff PlanLint Primitives TextRendering TrackingPlan"),
    module("PlanCodegen", in: plan, "EventModel JSONSchema TrackingPlan"),
    module("FakeData", in: plan, "EventModel JSONLines JSONSchema Primitives TrackingPlan"),
    module(
        "Scaffolding", in: plan,
        "EventModel JSONLines JSONSchema LogFiles PlanCodegen PlanDiff PlanLint PlanPages Primitives TrackingPlan",
        resources: [.embedInCode("Templates")]),
    program("tracking-codegen", in: plan, "PlanCodegen"),
    .plugin(
        name: "TrackingEventsPlugin", capability: .buildTool(), dependencies: ["tracking-codegen"],
        path: "\(plan)/TrackingEventsPlugin"),
]

// Targets that read, select, count, rewrite and repair logs.
let logs = "Sources/Logs"
let logsTargets: [Target] = [
    .systemLibrary(name: "CZstd", path: "\(logs)/CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    module("LogFiles", in: logs, "CZlib CZstd JSONLines Primitives"),
    module("EventQuery", in: logs, "EventModel JSONLines"),
    module(
        "EventFormats", in: logs, "EventModel JSONLines JSONSchema Primitives TextRendering",
        exclude: withStream ? [] : ["Warehouse"]),
    module("LogStatistics", in: logs, "EventModel EventQuery JSONLines Primitives"),
    module("EventImport", in: logs, "EventFormats EventModel EventQuery JSONLines Primitives"),
    module(
        "LogMaintenance", in: logs,
        "DeliveryProtocol EventLog EventModel JSONLines LogFiles Primitives TextRendering GRDB"),
    module(
        "LogReplay", in: logs,
        "CZlib DeliveryHTTP DeliveryProtocol EventLog EventModel EventQuery JSONLines LogFiles Primitives"),
]

// What all programs use, and the command line.
let trackctl = "Sources/Trackctl"
let commandTargets: [Target] = [
    module("CommandSupport", in: "Sources/Commands", "JSONLines LogFiles Primitives TextRendering ArgumentParser"),
    module("ReportPages", in: trackctl, "JSONLines TextRendering"),
    module(
        "TrackctlCommands", in: trackctl,
        "CommandSupport DeliveryHTTP DeliveryProtocol EventFormats EventImport EventLog EventModel EventQuery FakeData",
        "JSONLines JSONSchema LogFiles LogMaintenance LogReplay LogStatistics PlanCodegen PlanDiff PlanLint PlanPages",
        "Primitives ReportPages Scaffolding TextRendering TrackingPlan ArgumentParser",
        withStream ? "StreamClient Warehouse" : "", defines: linked),
    program("trackctl", in: trackctl, "TrackctlCommands"),
]

// The sample app.
let sample = "Sources/Sample"
let sampleTargets: [Target] = [
    module(
        "GitHubClient", in: sample,
        "JSONLines Primitives Tracking TrackingCore TrackingDomainEvents TrackingReplay",
        exclude: ["Schemas"],
        resources: [.copy("Resources/sample-activity.jsonl"), .copy("Resources/sample-repositories.jsonl")]),
    module(
        "GitHubTerminal", in: sample, "EventLog GitHubClient JSONLines LogFiles Primitives TextRendering TrackingCore"),
    program(
        "github-client", in: sample,
        "CommandSupport EventLog GitHubClient GitHubTerminal JSONLines LogFiles Primitives TextRendering Tracking",
        "TrackingCore TrackingHTTP TrackingReplay ArgumentParser"),
]

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

// The collector.
let collector = "Sources/Collector"
let intakeResources = ["segment", "cloudevents", "otlp", "snowplow"].map {
    Resource.embedInCode("Resources/\($0).json")
}
let collectorTargets: [Target] = [
    module(
        "CollectorStore", in: collector,
        "CDigest DeliveryProtocol EventLog EventModel JSONLines Primitives GRDB GRDBSQLite"),
    module(
        "CollectorIntake", in: collector,
        "CollectorStore CZlib CZstd DeliveryProtocol EventImport EventModel EventQuery JSONLines Primitives",
        "TrackingPlan", resources: intakeResources),
    module(
        "CollectorReading", in: collector,
        "CollectorIntake CollectorStore DeliveryProtocol EventFormats EventLog EventModel EventQuery JSONLines",
        "PlanPages Primitives TrackingPlan GRDB"),
    module("CServedFiles", in: collector, exclude: ["live.html", "openapi.json"]),
    module(
        "CollectorServer", in: collector,
        "CollectorIntake CollectorReading CollectorStore DeliveryProtocol EventFormats EventModel JSONLines",
        "JSONSchema PlanCodegen PlanPages Primitives TextRendering TrackingPlan Hummingbird HummingbirdCore ServiceLifecycle",
        "Logging Metrics CoreMetrics NIOCore NIOPosix NIOHTTP1 NIOSSL NIOHTTPTypes NIOHTTPTypesHTTP1 HTTPTypes Crypto CServedFiles"
    ),
    program(
        "collector", in: collector,
        "CollectorIntake CollectorServer CollectorStore CommandSupport EventModel JSONLines Primitives ArgumentParser",
        "Logging NIOCore ServiceLifecycle UnixSignals", withStream ? "CollectorForwarding" : "", defines: linked),
]

// What is behind the collectors: the stream, and the loader that writes it to ClickHouse and folders.
let warehouse = "Sources/Warehouse"
let warehouseTargets: [Target] = [
    .systemLibrary(
        name: "CNATS", path: "\(warehouse)/CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    module(
        "CollectorForwarding", in: collector,
        "CollectorServer CollectorStore DeliveryProtocol JSONLines Primitives StreamClient Logging"),
    module("StreamClient", in: warehouse, "CNATS DeliveryProtocol EventModel JSONLines Primitives"),
    module(
        "Warehouse", in: warehouse,
        "CZstd DeliveryHTTP DeliveryProtocol EventFormats EventLog EventModel JSONLines LogFiles LogMaintenance",
        "Primitives StreamClient GRDB"),
    program("loader", in: warehouse, "CommandSupport EventModel StreamClient TextRendering Warehouse ArgumentParser"),
]

let toolTargets: [Target] = [
    .target(name: "CBaselines", path: "tools/bench/CBaselines", linkerSettings: [.linkedLibrary("sqlite3")]),
    program(
        "benchmarks", in: "tools/bench", at: "Runner",
        "CBaselines EventLog EventModel Flux JSONLines JSONSchema Primitives Tracking TrackingCore",
        "TrackingDomainEvents"),
    program("schema-verdicts", in: "tools/checks/agreement", at: "SchemaVerdicts", "JSONSchema"),
    program(
        "before-answer-asker", in: "tools/checks/before-answer", at: "Asker", "EventLog Tracking TrackingCore"),
    program(
        "network-sender", in: "tools/checks/network", at: "Sender",
        "EventLog Tracking TrackingCore TrackingHTTP"),
    module("CrashSupport", in: "tools/crash", "Primitives TrackingCore"),
    program(
        "crash-sender", in: "tools/crash",
        "CommandSupport CrashSupport EventLog LogFixtures Primitives Tracking TrackingCore GRDB ArgumentParser"),
    program(
        "collector-sender", in: "tools/crash",
        "CommandSupport CrashSupport EventLog Primitives TrackingHTTP ArgumentParser"),
    program(
        "tracker-sender", in: "tools/crash",
        "CrashSupport EventLog Flux Primitives Tracking TrackingCore TrackingHTTP ArgumentParser"),
    program(
        "crash-harness", in: "tools/crash",
        "CZlib CrashSupport DeliveryProtocol EventLog EventModel JSONLines LogFiles Primitives TrackingCore",
        "TrackingDomainEvents GRDB ArgumentParser"),
    program(
        "cluster-sender", in: "tools/cluster", at: "Sender",
        "CommandSupport DeliveryHTTP EventLog EventModel JSONLines Primitives TrackingCore TrackingHTTP ArgumentParser"),
    program(
        "people", in: "tools/people", at: "People", "EventLog EventModel Flux Primitives TrackingCore GRDB",
        "ArgumentParser"),
]
let simulation = program(
    "simulation", in: "tools/simulation", at: "Simulation",
    "DeliveryProtocol EventFormats EventModel Primitives StreamClient TrackingCore Warehouse GRDB",
    "ArgumentParser")

// The fuzz targets that libFuzzer calls. By default they are part of the tests, which replay every case; with
// `TRACKING_TOOLS=1` they are a separate module for the fuzzer.
let fuzzed = dependencies([
    "CollectorIntake CollectorStore CommandSupport CZlib CZstd DeliveryProtocol EventFormats EventImport EventLog",
    "EventModel EventQuery JSONLines JSONSchema LogFiles Primitives TrackctlCommands TrackingCore",
    "TrackingDomainEvents TrackingPlan TrackingReplay",
])
let fuzzTargets: [Target] =
    withTools
    ? [
        .target(name: "FuzzDriver", path: "tools/fuzz/Driver"),
        .target(name: "FuzzTargets", dependencies: fuzzed, path: "tools/fuzz/Targets", swiftSettings: strict),
        program("fuzzer", in: "tools/fuzz", at: "Fuzzer", "FuzzDriver FuzzTargets"),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets"], path: "tools/fuzz/Tests",
            swiftSettings: strict + [.define("FUZZ_TARGETS_ARE_A_MODULE")]),
    ]
    : [
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "tools/fuzz",
            exclude: ["Driver", "Fuzzer", "README.md", "cases", "dictionaries", "run"], sources: ["Targets", "Tests"],
            swiftSettings: strict)
    ]

let support = "Tests/Support"
let testTargets: [Target] = [
    module("LookAlikes", in: support),
    module("CommandRunner", in: support, "Primitives"),
    module("TestTimes", in: support),
    module("LogFixtures", in: support, "EventLog EventModel Primitives"),
    module("LoopbackServer", in: support, "Primitives"),
    module("PowerCuts", in: support, "Primitives"),
    module("TrackerFixtures", in: support, "EventLog EventModel Flux Primitives TrackingCore"),
    program("log-writer", in: support, "EventLog EventModel LogFixtures"),
    program("storage-writer", in: support, "TrackingCore"),

    tests("PrimitivesTests", in: "Core", "CommandRunner PowerCuts Primitives"),
    tests("JSONLinesTests", in: "Core", "JSONLines"),
    tests("EventModelTests", in: "Core", "EventModel"),
    tests("DeliveryProtocolTests", in: "Core", "DeliveryProtocol EventModel JSONLines JSONSchema Primitives"),
    tests("TextRenderingTests", in: "Core", "TextRendering"),
    tests("FluxTests", in: "SDK", "Flux Primitives"),
    tests(
        "EventLogTests", in: "SDK",
        "CommandRunner EventLog EventModel log-writer LogFixtures Primitives GRDB", resources: [.copy("Resources")]),
    tests(
        "TrackingCoreTests", in: "SDK",
        "CommandRunner DeliveryProtocol EventLog EventModel JSONLines LogFixtures LookAlikes PowerCuts Primitives",
        "storage-writer TrackingCore TrackingDomainEvents TrackingPlan TrackingReplay TrackingTesting",
        "TrackingValidation"),
    tests(
        "TrackingTests", in: "SDK",
        "CommandRunner DeliveryProtocol EventLog LogFixtures Primitives TrackerFixtures Tracking TrackingCore",
        "TrackingLifeCycle TrackingTesting"),
    tests(
        "ArticleTests", in: "SDK",
        "CommandRunner Tracking TrackingCore TrackingDomainEvents TrackingReplay TrackingTesting",
        exclude: ["Schemas"]),
    tests(
        "TrackingHTTPTests", in: "SDK",
        "CommandRunner CZlib DeliveryHTTP DeliveryProtocol EventLog EventModel JSONLines LogFixtures LoopbackServer",
        "Primitives TrackingCore TrackingDomainEvents TrackingHTTP TrackingTesting"),
    tests(
        "TrackingLifeCycleTests", in: "SDK", "Primitives TrackingCore TrackingLifeCycle TrackingPlan TrackingTesting"),
    tests(
        "TrackingTestingTests", in: "SDK",
        "Primitives TrackingCore TrackingDomainEvents TrackingTesting", exclude: ["Golden", "__Snapshots__"]),
    tests(
        "JSONSchemaTests", in: "Plan",
        "CommandRunner JSONLines JSONSchema LogFiles Primitives",
        exclude: ["JSONSchemaTestSuite"], resources: [.copy("Resources")]),
    tests("TrackingPlanTests", in: "Plan", "EventModel JSONSchema TrackingPlan"),
    tests("PlanLintTests", in: "Plan", "PlanLint TrackingPlan"),
    tests("PlanDiffTests", in: "Plan", "EventModel JSONSchema PlanDiff TrackingPlan"),
    tests("PlanPagesTests", in: "Plan", "PlanDiff PlanPages Primitives TrackingPlan"),
    tests(
        "PlanCodegenTests", in: "Plan",
        "EventModel JSONSchema PlanCodegen Tracking TrackingCore TrackingDomainEvents TrackingLifeCycle TrackingPlan",
        "TrackingTesting", exclude: ["Golden/refused-properties.txt", "Golden/refused-events.txt"]),
    tests(
        "FakeDataTests", in: "Plan", "CommandRunner EventModel FakeData JSONSchema TrackingPlan", exclude: ["Golden"]),
    tests("ScaffoldingTests", in: "Plan", "CommandRunner LogFiles Scaffolding"),
    tests("LogFilesTests", in: "Logs", "CommandRunner LogFiles"),
    tests("EventQueryTests", in: "Logs", "CommandRunner EventModel EventQuery JSONLines"),
    tests(
        "EventFormatsTests", in: "Logs",
        "CommandRunner EventFormats EventModel github-client JSONLines JSONSchema TrackingCore TrackingDomainEvents",
        exclude: ["Golden"]),
    tests("LogStatisticsTests", in: "Logs", "CommandRunner EventModel EventQuery LogStatistics"),
    tests(
        "LogReplayTests", in: "Logs",
        "CommandRunner DeliveryHTTP DeliveryProtocol EventLog EventModel EventQuery JSONLines LogFixtures LogReplay",
        "LoopbackServer Primitives"),
    tests(
        "LogMaintenanceTests", in: "Logs",
        "CommandRunner DeliveryProtocol EventLog EventModel LogFiles LogFixtures LogMaintenance GRDB"),
    tests(
        "CommandSupportTests", in: "Commands",
        "CommandSupport EventLog FakeData GitHubTerminal LogFiles LogMaintenance LogReplay Primitives Scaffolding",
        "TrackingCore TrackingPlan"),
    tests(
        "ReportPagesTests", in: "Trackctl",
        "JSONLines ReportPages", exclude: ["Behaviour/Golden"], resources: [.copy("Behaviour/Resources")]),
    tests(
        "CommandTests", in: "Trackctl",
        "CommandRunner DeliveryProtocol EventLog EventModel github-client JSONLines LogFiles LoopbackServer Primitives",
        "trackctl TrackctlCommands TrackingCore GRDB", exclude: ["Golden"], resources: [.copy("Resources")]),
    tests(
        "GitHubClientTests", in: "Sample",
        "GitHubClient Primitives TestTimes TrackingCore TrackingDomainEvents TrackingReplay TrackingTesting"),
    tests("GitHubTerminalTests", in: "Sample", "EventLog GitHubClient GitHubTerminal TrackingCore TrackingTesting"),
    tests(
        "ScreenTests", in: "Sample",
        "CommandRunner EventLog EventModel github-client JSONLines LogFiles Primitives TestTimes"),
]
let collectorTests: [Target] = [
    module("CollectorFixtures", in: support, "CollectorStore CZlib CZstd DeliveryProtocol EventModel JSONLines"),
    program("batch-writer", in: support, "CollectorFixtures CollectorStore DeliveryProtocol"),
    tests(
        "CollectorStoreTests", in: "Collector",
        "batch-writer CDigest CollectorFixtures CollectorStore CommandRunner DeliveryProtocol EventModel",
        "Primitives GRDB GRDBSQLite", resources: [.copy("Resources")]),
    tests(
        "CollectorIntakeTests", in: "Collector",
        "CollectorFixtures CollectorIntake CollectorStore CommandRunner DeliveryProtocol EventLog EventModel JSONLines",
        "TrackingPlan"),
    tests(
        "CollectorServerTests", in: "Collector",
        "collector CollectorFixtures CollectorIntake CollectorServer CollectorStore CommandRunner DeliveryHTTP",
        "DeliveryProtocol EventLog EventModel JSONLines LogFixtures LogReplay PowerCuts Primitives Tracking",
        "TrackingCore TrackingCrypto TrackingDomainEvents TrackingHTTP TrackingTesting CoreMetrics Hummingbird Logging",
        "NIOCore NIOEmbedded NIOPosix ServiceLifecycle",
        withStream ? "CollectorForwarding NATSServer StreamClient" : "",
        exclude: withStream ? [] : ["ForwardingTests.swift"]),
    tests(
        "CollectorReadingTests", in: "Collector",
        "CollectorFixtures CollectorIntake CollectorReading CollectorStore CommandRunner DeliveryProtocol EventModel",
        "JSONLines Primitives GRDB"),
]
let warehouseTests: [Target] = [
    module("NATSServer", in: support, "CommandRunner"),
    tests(
        "CollectorForwardingTests", in: "Collector",
        "CollectorFixtures CollectorForwarding CollectorStore CommandRunner DeliveryProtocol NATSServer PowerCuts",
        "Primitives StreamClient"),
    tests(
        "StreamClientTests", in: "Warehouse",
        "CommandRunner DeliveryProtocol EventModel NATSServer Primitives StreamClient"),
    tests(
        "WarehouseTests", in: "Warehouse",
        "CommandRunner DeliveryHTTP DeliveryProtocol EventModel JSONLines LogFiles NATSServer Primitives StreamClient",
        "Warehouse GRDB"),
]

// Only libraries for apps are products, because an app resolves the dependencies of all products. `trackctl` and the sample
// app are not products: they build and run in a checkout, and ArgumentParser is not in the dependency graph of apps.
// `tools/checks/slim` checks this.
let libraries = [
    "TrackingCrypto", "TrackingDomainEvents", "TrackingHTTP", "TrackingLifeCycle", "TrackingTesting", "TrackingReplay",
    "TrackingValidation", "JSONSchema",
]
let package = Package(
    name: "swift-tracking",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Tracking", targets: ["Tracking", "TrackingCore"]),
        .plugin(name: "TrackingEventsPlugin", targets: ["TrackingEventsPlugin"]),
    ] + libraries.map { .library(name: $0, targets: [$0]) },
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
    targets: coreTargets + sdkTargets + planTargets + logsTargets + commandTargets + sampleTargets + testTargets
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
    package.targets.append(module("UIKit", in: stubs, "AppleFoundation"))
    let users = [
        "EventLog": "AppleFoundation", "TrackingCore": "AppleFoundation",
        "Tracking": "AppKit SwiftUI UIKit UserNotifications os",
    ]
    let defines = ["APPLE_STUBS", "APPKIT_APPS", "UIKIT_APPS", "NOTIFICATION_RESPONSES", "NOTIFICATION_SETTINGS"]
    for (name, modules) in users {
        guard let target = package.targets.first(where: { $0.name == name }) else { continue }
        target.dependencies += dependencies([modules])
        target.swiftSettings? += defines.map { .define($0) }
        // `make apple` also builds copies of the adapters with planted errors, which the tests must find.
        if name == "Tracking", let copy = Context.environment["TRACKING_MISSPELT"] { target.path = copy }
    }
    // Swift Testing has a module with this name for UIKit.
    let withoutOverlays = [SwiftSetting.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
    package.targets.append(
        .testTarget(
            name: "AppleAdapterTests",
            dependencies: dependencies([
                "AppKit AppleFoundation EventLog JSONLines Primitives SwiftUI TrackerFixtures Tracking TrackingCore UIKit",
                "UserNotifications os",
            ]), path: "\(stubs)/AppleAdapterTests", swiftSettings: strict + withoutOverlays))
    // Example apps; the plugin generates their events and pages.
    for (name, modules) in [("SwiftUIApp", "Tracking SwiftUI"), ("UIKitApp", "Tracking UIKit UserNotifications")] {
        package.targets += [
            .executableTarget(
                name: name, dependencies: dependencies([modules]), path: "Sources/Examples/\(name)",
                exclude: ["Schemas"],
                swiftSettings: strict, plugins: ["TrackingEventsPlugin"]),
            .testTarget(
                name: name + "Tests", dependencies: dependencies([modules, name, "TrackingTesting"]),
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
