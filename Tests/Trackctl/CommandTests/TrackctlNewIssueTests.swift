import CommandRunner
import Foundation
import Testing

@Suite("trackctl new rejects, and writes nothing")
struct TrackctlNewIssueTests {
    private let package: ShopPackage

    init() throws { package = try ShopPackage() }

    private func refused(
        _ arguments: String..., status: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try package.files()
        let result = try await package.run(arguments)
        #expect(result.stderr == "trackctl: \(message)\n", sourceLocation: sourceLocation)
        #expect(result.exitCode == status && result.text == "", sourceLocation: sourceLocation)
        #expect(try package.files() == before, sourceLocation: sourceLocation)
    }

    @Test("Names in another form, of the SDK, or already used")
    func names() async throws {
        try await refused(
            "event", "CheckoutCompleted", status: 64,
            "invalid name of an event 'CheckoutCompleted': did you mean checkout-completed?")
        try await refused(
            "event", "launch", status: 64,
            "launch is an event of the SDK: choose another name, or write a new version of its schema")
        try package.write(#"["life-cycle"]"#, to: "Sources/Shop/Schemas/sets.json")
        try await refused(
            "event", "app-opened", status: 64,
            "app-opened is an event of the SDK: choose another name, or write a new version of its schema")
        _ = try await package.new("event", "log-out")
        try await refused(
            "event", "log-out", status: 64,
            """
            log-out is already in the plan, Sources/Shop/Schemas/events/log-out/1-0-0.json: choose another name, or write \
            a new version of its schema
            """)
        try package.write("\nfinal class Paid {}\n", to: "Sources/Shop/Paid.swift")
        try await refused(
            "event", "paid", status: 64, "Paid is already declared at Sources/Shop/Paid.swift:2: choose another name")
        try await refused("event", "shop", status: 64, "Shop is already the name of the target: choose another name")
        try await refused(
            "event", "a", "--property", "b:integer", "--property", "b:string", status: 64,
            "duplicate property b: give each property a unique name")
    }

    @Test("Names that have the same Swift name as those of other events")
    func clash() async throws {
        _ = try await package.new("event", "log-out")
        try await refused(
            "event", "logout", status: 65,
            """
            cannot generate Swift code with logout: choose another name, or correct the schemas
            Sources/Shop/Schemas/events/logout/1-0-0.json:1:1: error: log-out already has the Swift name Logout, except \
            for capital letters: give this one another name with x-swift-name
            """)
    }

    @Test("Properties that contradict the rules of a plan")
    func rules() async throws {
        let result = try await package.new("event", "a", "--property", "b:string:drop")
        #expect(result.exitCode == 65)
        #expect(
            result.stderr.hasPrefix(
                """
                trackctl: the schema generated from the built-in event-with-value.json.template breaks rules of the plan:
                  /properties/value/properties/b/x-pii: 
                """))
        #expect(result.stderr.hasSuffix("[pii-handling]\n"))
    }

    @Test("Files that already exist")
    func present() async throws {
        try package.write("mine\n", to: "Tests/ShopTests/Events/LogOutTests.swift")
        try await refused(
            "event", "log-out", status: 64,
            """
            this file already exists, and nothing was written: move the file, or choose another name
              Tests/ShopTests/Events/LogOutTests.swift
            """)
    }

    @Test("No package, a missing target, several targets")
    func layout() async throws {
        try await refused(
            "event", "a", "--package", "none", status: 66,
            "none/Package.swift does not exist: pass the folder of the app's package")
        try await refused(
            "event", "a", "--target", "Shops", status: 66,
            "no target Shops in Package.swift; available: Shop")
        try await refused(
            "event", "a", "--test-target", "X", status: 66,
            "no test target X in Package.swift; available: ShopTests")
        try package.write("[.target(name: \"A\"), .target(name: \"B\")]", to: "Package.swift")
        try await refused(
            "event", "a", status: 64, "several targets match: select the app's with --target; available: A, B")
        try await refused(
            "event", "a", "--target", "B", status: 66,
            "no test target BTests in Package.swift: add it, or select another with --test-target")
    }

    @Test("Of several targets that name Tracking, the one with the plugin is the app's")
    func pluginTarget() async throws {
        try package.write(
            """
            [.executableTarget(name: "ShopApp", dependencies: ["Shop", .product(name: "Tracking", package: "t")]),
             .target(name: "Shop", dependencies: [.product(name: "Tracking", package: "t")],
                 plugins: [.plugin(name: "TrackingEventsPlugin", package: "t")]),
             .testTarget(name: "ShopTests", dependencies: ["Shop"])]
            """, to: "Package.swift")
        let added = try await package.new("event", "basket-shared", "--description", "The user shared the basket.")
        #expect(added.exitCode == 0, "\(added.stderr)")
        #expect(added.text.contains("Sources/Shop/Schemas/events/basket-shared/1-0-0.json"))
    }

    @Test("An invalid plan, and invalid templates")
    func issues() async throws {
        try package.write("{", to: "Sources/Shop/Schemas/events/b/1-0-0.json")
        let plan = try await package.new("event", "a")
        #expect(plan.exitCode == 65)
        #expect(
            plan.stderr.contains(
                "trackctl: the plan is invalid with a:\nSources/Shop/Schemas/events/b/1-0-0.json: not JSON"))
        try FileManager.default.removeItem(atPath: package.folder.path("Sources"))

        try package.write("ok\n{{nam}}\n", to: ".trackctl/templates/EventTests.swift.template")
        try await refused(
            "event", "a", status: 65,
            """
            .trackctl/templates/EventTests.swift.template:2: unknown placeholder {{nam}}: use one of description, \
            event, module, name, type
            """)
        try await refused(
            "event", "a", "--templates", "none", status: 66,
            "the folder none does not exist: create it with trackctl new templates none")
    }

    @Test("Routes that cannot be changed safely, with the line to write")
    func routes() async throws {
        try package.write(
            "enum AppRoute: RouteCommand {\n#if DEBUG\n    case debug\n#endif\n}\n", to: "Sources/Shop/A.swift")
        try await refused(
            "route", "about", status: 65,
            """
            Sources/Shop/A.swift:1: cannot add a case to AppRoute safely: write 'case about' \
            into it, on a separate line and outside of #if, and run this again
            """)
        try package.write("struct AppRoute: RouteCommand {}\n", to: "Sources/Shop/A.swift")
        try await refused(
            "route", "about", status: 65,
            """
            Sources/Shop/A.swift:1: cannot add a case, because AppRoute is not an enum that declares ': RouteCommand': \
            declare it that way, or select another with --routes
            """)
        try package.write(
            "enum A: RouteCommand { case x(Int) }\nenum B: RouteCommand {}\nprivate enum C: RouteCommand {}",
            to: "Sources/Shop/A.swift")
        try await refused(
            "route", "about", status: 64,
            "there are several route enums, select one with --routes: A (Sources/Shop/A.swift:1), B (Sources/Shop/A.swift:2)"
        )
        try await refused(
            "route", "about", "--routes", "Some Routes", status: 64,
            "invalid type name 'Some Routes': use letters and digits, starting with a capital letter, such as AppRoute")
        try await refused(
            "route", "x", "--routes", "A", status: 64,
            "Sources/Shop/A.swift:1: A.x carries values, which its test must choose: write the test by hand")
    }
}
