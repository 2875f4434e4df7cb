import CommandRunner
import Foundation
import Testing

@testable import Scaffolding

@Suite("Free names in an app")
struct FreeNameTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            [.target(name: "Shop", dependencies: ["Tracking"], plugins: ["TrackingEventsPlugin"]),
              .testTarget(name: "ShopTests", dependencies: ["Shop", "TrackingTesting"])]
            """, to: "Package.swift")
        for path in ["Sources/Shop", "Tests/ShopTests"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(path), withIntermediateDirectories: true)
        }
    }

    private func layout(style: ScaffoldStyle? = nil) throws -> AppLayout {
        var request = AppLayout.Request()
        request.style = style
        request.package = folder.path
        return try AppLayout(request)
    }

    private func event(_ name: String) throws -> Scaffold {
        let event = try NewEvent(
            try ScaffoldName(name, of: "event"), description: nil, properties: [], isLocked: false)
        return try Scaffold(event, in: try layout(), TemplateSet())
    }

    private func screen(_ name: String, routes: String? = nil) throws -> Scaffold {
        let route = try NewRoute(try ScaffoldName(name, of: "screen"), hasViewModel: true, routes: routes)
        return try Scaffold(route, in: try layout(style: routes == nil ? nil : .flux), TemplateSet())
    }

    private func write(_ scaffold: Scaffold) throws { try ScaffoldWriter(scaffold).write() }

    @Test(
        "An event whose type would hide another is rejected with an alternative",
        arguments: [
            ("error", "a type Error would hide that of Swift: choose another name, such as error-event"),
            ("uuid", "a type UUID would hide that of Foundation: choose another name, such as uuid-event"),
            ("issue", "a type Issue would hide that of Testing: choose another name, such as issue-event"),
            ("sink", "a type Sink would hide that of Tracking: choose another name, such as sink-event"),
            (
                "step-pattern",
                "a type StepPattern would hide that of TrackingTesting: choose another name, such as step-pattern-event"
            ),
            (
                "tracking",
                "a type Tracking would hide the module of that name: choose another name, such as app-tracking"
            ),
            ("shop", "Shop is already the name of the target: choose another name"),
        ])
    func hiding(name: String, message: String) {
        let error = #expect(throws: ScaffoldError.self) { try event(name) }
        #expect(error?.message == message)
        #expect(error?.code == .exists)
    }

    @Test("A screen may have the name of a type, since its own types differ")
    func screens() throws {
        #expect(try screen("error").files.count == 3)
        #expect(try screen("error", routes: "AppRoute").files.count == 7)
    }

    @Test("A routes enum that would hide another type is rejected")
    func routes() throws {
        let hiding = #expect(throws: ScaffoldError.self) { try screen("basket", routes: "Set") }
        #expect(hiding?.message == "a type Set would hide that of Swift: choose another name, such as ShopRoute")
        try folder.write("struct Foo {}\n", to: "Sources/Shop/Foo.swift")
        let second = #expect(throws: ScaffoldError.self) { try screen("basket", routes: "Foo") }
        #expect(
            second?.message
                == "Foo is already declared at \(folder.path("Sources/Shop/Foo.swift:1")): choose another name")
    }

    @Test("Types generated from schemas are in use, although no file declares them")
    func made() throws {
        try write(try event("page-view-model"))
        let error = #expect(throws: ScaffoldError.self) { try screen("page", routes: "AppRoute") }
        let schema = folder.path("Sources/Shop/Schemas/events/page-view-model/1-0-0.json")
        #expect(error?.message == "PageViewModel is already generated from \(schema): choose another name")
        #expect(error?.code == .exists)
        try write(try event("log-out-model"))
        let model = #expect(throws: ScaffoldError.self) { try screen("log-out") }
        #expect(
            model?.message
                == "LogOutModel is already generated from "
                + "\(folder.path("Sources/Shop/Schemas/events/log-out-model/1-0-0.json")): choose another name")
    }

    @Test("An unknown routes enum is rejected with the existing ones")
    func otherRoutes() throws {
        try folder.write(
            "enum ShopRoute: RouteCommand { case basket }\nprivate enum Own: RouteCommand {}\n",
            to: "Sources/Shop/ShopRoute.swift")
        let error = #expect(throws: ScaffoldError.self) { try screen("about", routes: "Foo") }
        #expect(
            error?.message
                == "no route enum Foo, select an existing one with --routes: "
                + "ShopRoute (\(folder.path("Sources/Shop/ShopRoute.swift:1")))")
        #expect(error?.code == .ambiguous)
    }

    @Test("Without a routes enum, one with the given name is created")
    func newRoutes() throws {
        #expect(
            try screen("about", routes: "AppRoute").files.map(\.path).first
                == folder.path("Sources/Shop/Routes/AppRoute.swift"))
    }
}
