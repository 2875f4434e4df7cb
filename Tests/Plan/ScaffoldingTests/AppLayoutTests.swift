import CommandRunner
import Foundation
import Testing

@testable import Scaffolding

@Suite("App layout")
struct AppLayoutTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func layout(_ manifest: String, _ change: (inout AppLayout.Request) -> Void = { _ in }) throws -> AppLayout
    {
        try folder.write(manifest, to: "Package.swift")
        var request = AppLayout.Request()
        request.package = folder.path
        change(&request)
        return try AppLayout(request)
    }

    @Test("Folders are read from the manifest, and so is whether the build generates types")
    func manifest() throws {
        let layout = try layout(
            """
            [.target(name: "Core"), .executableTarget(name: "my-app", dependencies: ["Tracking"], path: "App",
              plugins: ["TrackingEventsPlugin"]), .testTarget(name: "Checks", dependencies: ["my-app"], path: "Checks")]
            """)
        #expect(layout.sources == folder.path("App") && layout.tests == folder.path("Checks"))
        #expect(layout.schemas == folder.path("App/Schemas") && layout.makesTypes)
        #expect(layout.module == "my_app" && layout.routesName == "MyAppRoute")
        #expect(layout.pathFromTests(to: layout.schemas) == "../App/Schemas")
        #expect(layout.notes == ["Checks does not name TrackingTesting in Package.swift: add the dependency"])
    }

    @Test("The folders are used if the manifest computes its targets")
    func computed() throws {
        for path in ["Sources/App", "Tests/AppTests"] {
            try FileManager.default.createDirectory(atPath: folder.path(path), withIntermediateDirectories: true)
        }
        try folder.write("no folder", to: "Sources/notes.md")
        let layout = try layout("let package = Package(name: name, targets: targets)") { $0.schemas = "Plan" }
        #expect(layout.target == "App" && layout.tests == folder.path("Tests/AppTests"))
        #expect(layout.schemas == "Plan" && !layout.makesTypes && layout.notes == [])
    }

    @Test(
        "The style is detected from code, not comments, and can be overridden",
        arguments: [
            ("", ScaffoldStyle.tracker), ("import Tracking\nlet tracker = Tracker.start()", .tracker),
            ("import Tracking\nimport TrackingCore\nlet sink = StandardOutputSink()", .tracker),
            ("import Tracking\n// no TrackingEnvironment, no RouteCommand\nlet a = \"RouteCommand\"", .tracker),
            ("import TrackingCore", .flux), ("enum AppRoute: RouteCommand { case home }", .flux),
            ("import Tracking\nimport TrackingCore\nlet a: TrackingEnvironment<AppRoute>", .flux),
        ])
    func style(code: String, style: ScaffoldStyle) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("Sources/App/Screens"), withIntermediateDirectories: true)
        try folder.write(code, to: "Sources/App/Screens/App.swift")
        let manifest = #"[.target(name: "App"), .testTarget(name: "AppTests")]"#
        #expect(try layout(manifest).style == style)
        for asked in ScaffoldStyle.allCases { #expect(try layout(manifest) { $0.style = asked }.style == asked) }
    }

    @Test("A package without targets is reported")
    func none() throws {
        let error = #expect(throws: ScaffoldError.self) { try layout("") }
        #expect(error?.message == "no targets in \(folder.path)/Package.swift: add the app's target")
        #expect(error?.code == .notFound)
    }

    @Test("New files go to the first source folder, and all folders are searched")
    func sources() throws {
        let layout = try layout(
            """
            [.target(name: "App", path: "Code", sources: ["main.swift", "Shop/", "Core"],
              plugins: ["TrackingEventsPlugin"]), .testTarget(name: "AppTests", sources: ["."])]
            """)
        #expect(layout.sources == folder.path("Code/Shop") && layout.tests == folder.path("Tests/AppTests"))
        #expect(layout.schemas == folder.path("Code/Schemas"))
        try FileManager.default.createDirectory(
            atPath: folder.path("Code/Core"), withIntermediateDirectories: true)
        try folder.write("enum Place: RouteCommand {}\n", to: "Code/Core/Place.swift")
        try folder.write("struct Start {}\n", to: "Code/main.swift")
        #expect(
            try RouteEnum.find(in: layout.allSources, named: nil)?.location == folder.path("Code/Core/Place.swift:1"))
        #expect(throws: ScaffoldError.self) { try layout.requireFree(["Start"], suggesting: "Other") }
    }

    @Test(
        "Computed or missing folders are reported with advice",
        arguments: [
            (#"path: root + "/App""#, "cannot read 'path:' of the target App", "write a string literal there"),
            ("sources: files", "cannot read 'sources:' of the target App", "write a list of string literals there"),
            (
                #"sources: ["main.swift"]"#, "the target App lists only single files",
                "add a folder to its 'sources:'"
            ),
        ])
    func unreadable(argument: String, what: String, advice: String) {
        let error = #expect(throws: ScaffoldError.self) {
            try layout(#"[.target(name: "App", \#(argument)), .testTarget(name: "AppTests")]"#)
        }
        #expect(error?.message.contains(what) == true && error?.message.contains(advice) == true)
        #expect(error?.code == .invalidSource)
    }
}
