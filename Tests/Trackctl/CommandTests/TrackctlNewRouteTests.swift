import CommandRunner
import Foundation
import Testing

@Suite("trackctl new route, screen and templates")
struct TrackctlNewRouteTests {
    private let package: ShopPackage

    init() throws { package = try ShopPackage() }

    @Test(
        "With the Flux layer the first screen adds the enum of routes, the coverage and the page; a route after it adds lines"
    )
    func screenThenRoute() async throws {
        let screen = try await package.new("screen", "basket", "--style", "flux", "--description", "What is  bought.")
        #expect(screen.stderr == "")
        #expect(
            screen.text == """
                new     Sources/Shop/Routes/ShopRoute.swift
                new     Sources/Shop/Routes/ShopRoute+Screen.swift
                new     Sources/Shop/Screens/BasketViewModel.swift
                new     Tests/ShopTests/Routes/BasketRouteTests.swift
                new     Tests/ShopTests/Routes/RouteCoverage.swift
                new     Sources/Shop/Schemas/pages.json
                new     Sources/Shop/Schemas/PAGES.md
                next    show the screen that ShopRoute.screen(in:) returns, and call its viewDidAppear() when it appears
                next    swift test --filter BasketRouteTests

                """)
        let route = try await package.new("route", "about")
        #expect(
            route.text == """
                changed Sources/Shop/Routes/ShopRoute.swift
                changed Sources/Shop/Routes/ShopRoute+Screen.swift
                new     Tests/ShopTests/Routes/AboutRouteTests.swift
                changed Tests/ShopTests/Routes/RouteCoverage.swift
                changed Sources/Shop/Schemas/pages.json
                changed Sources/Shop/Schemas/PAGES.md
                next    replace the placeholder description in Sources/Shop/Schemas/pages.json; until then trackctl schema lint \
                reports it
                next    handle .about wherever the app switches over ShopRoute: the compiler reports where
                next    show the screen that ShopRoute.screen(in:) returns, and call its viewDidAppear() when it appears
                next    swift test --filter AboutRouteTests

                """)
        #expect(
            try package.text("Sources/Shop/Routes/ShopRoute.swift").hasSuffix(
                "Codable {\n    case basket\n    case about\n}\n"))
        #expect(
            try package.text("Sources/Shop/Routes/ShopRoute+Screen.swift").contains(
                """
                        case .basket: BasketViewModel(environment: environment)
                        case .about: PlainScreen(environment: environment, page: .about)
                        // trackctl new adds
                """))
        #expect(
            try package.text("Tests/ShopTests/Routes/RouteCoverage.swift").contains(
                """
                        case .basket: BasketRouteTests.self
                        case .about: AboutRouteTests.self
                        // trackctl new adds
                """))
        #expect(
            try package.text("Sources/Shop/Schemas/PAGES.md").contains(
                """
                |---|---|---|---|
                | `basket` | `ShopRoute.basket` | `BasketViewModel` | `BasketRouteTests` |
                | `about` | `ShopRoute.about` | `PlainScreen` | `AboutRouteTests` |
                <!-- trackctl new adds
                """))
        #expect(
            try package.text("Sources/Shop/Schemas/pages.json") == """
                {
                  "x-pages": {
                    "basket": { "description": "What is bought." },
                    "about": { "description": "TODO: describe what the page about shows." }
                  }
                }

                """)
        #expect(
            try package.text("Sources/Shop/Screens/BasketViewModel.swift").contains(
                "environment.tracking.send(.pageView(.basket))"))
        #expect(
            try package.text("Tests/ShopTests/Routes/AboutRouteTests.swift").contains(
                "recorder.expect(.pageView(.about))"))
        let again = try await package.new("route", "about")
        #expect(again.exitCode == 64)
        #expect(
            again.stderr
                == "trackctl: AboutRouteTests is already declared at Tests/ShopTests/Routes/AboutRouteTests.swift:8: choose another name\n"
        )
    }

    @Test("With a tracker a screen is a page, its model and the model's test; a route is a page")
    func tracker() async throws {
        try package.write("import Tracking\n", to: "Sources/Shop/Shop.swift")
        let screen = try await package.new("screen", "order-history", "--description", "All orders.")
        #expect(screen.stderr == "")
        #expect(
            screen.text == """
                new     Sources/Shop/Screens/OrderHistoryModel.swift
                new     Tests/ShopTests/Screens/OrderHistoryModelTests.swift
                new     Sources/Shop/Schemas/pages.json
                next    call appeared() of OrderHistoryModel each time the screen appears; in SwiftUI: .onAppear \
                { model.appeared() }
                next    swift test --filter OrderHistoryModelTests

                """)
        #expect(
            try package.text("Sources/Shop/Screens/OrderHistoryModel.swift").contains(
                "func appeared() { tracker.send(.pageView(.orderHistory)) }"))
        let test = try package.text("Tests/ShopTests/Screens/OrderHistoryModelTests.swift")
        #expect(test.contains("OrderHistoryModel(tracker: .mock(recording: recorder))"))
        let route = try await package.new("route", "about")
        #expect(
            route.text == """
                changed Sources/Shop/Schemas/pages.json
                next    replace the placeholder description in Sources/Shop/Schemas/pages.json; until then trackctl schema lint \
                reports it
                next    add .trackScreen(.about) to the view of the page; without SwiftUI, send .pageView(.about) when the page \
                appears

                """)
        let linted = try await trackctl(["schema", "lint", package.folder.path("Sources/Shop/Schemas")])
        #expect(linted.exitCode == 1 && linted.text.hasSuffix(" [placeholder-description]\n"))
        #expect(linted.lines.count == 1)
        _ = try await trackctl(["schema", "docs", package.folder.path("Sources/Shop/Schemas")])
        _ = try await trackctl(["schema", "lock", package.folder.path("Sources/Shop/Schemas")])
        #expect(
            try await package.new("route", "imprint", "--description", "Who is responsible.").lines.filter {
                $0.hasPrefix("next")
            }.dropLast() == [
                "next    after each change of the list: trackctl schema docs Sources/Shop/Schemas",
                "next    when you release the page: trackctl schema lock Sources/Shop/Schemas",
            ])
        let again = try await package.new("route", "about")
        #expect(again.exitCode == 64)
        #expect(
            again.stderr
                == "trackctl: the page about is already in Sources/Shop/Schemas/pages.json: choose another name\n")
    }

    @Test("--routes requires the Flux layer, and contradicts --style tracker")
    func routesAndStyle() async throws {
        let result = try await package.new("screen", "basket", "--routes", "AppRoute")
        #expect(result.lines.first == "new     Sources/Shop/Routes/AppRoute.swift")
        let refused = try await package.new("screen", "about", "--routes", "AppRoute", "--style", "tracker")
        #expect(refused.exitCode == 64)
        #expect(refused.stderr.contains("--routes needs --style flux: remove --routes, or pass --style flux"))
    }

    @Test("An app's own enum gets a case; its earlier cases are listed as untested until they get a test")
    func ownEnum() async throws {
        try package.write(
            "import Tracking\n\npublic enum AppRoute: RouteCommand { case home, detail(Int) }\n",
            to: "Sources/Shop/App.swift")
        let preview = try await package.new("route", "default", "--dry-run")
        #expect(
            preview.text.hasPrefix(
                """
                ==> changed Sources/Shop/App.swift
                +public enum AppRoute: RouteCommand {
                +    case home, detail(Int)
                +    case `default`
                +}

                ==> new Sources/Shop/Routes/AppRoute+Screen.swift
                import TrackingCore
                """))
        #expect(try await package.new("route", "default").exitCode == 0)
        let coverage = "Tests/ShopTests/Routes/RouteCoverage.swift"
        #expect(
            try package.text(coverage).contains(
                """
                        case .home: nil
                        case .detail: nil
                        case .`default`: DefaultRouteTests.self
                        // trackctl
                """))
        let source = try package.text("Sources/Shop/App.swift")
        #expect(try await package.new("screen", "home").exitCode == 0)
        #expect(try package.text("Sources/Shop/App.swift") == source)
        #expect(
            try package.text(coverage).contains(
                """
                        case .detail: nil
                        case .`default`: DefaultRouteTests.self
                        case .home: HomeRouteTests.self
                        // trackctl
                """))
    }

    @Test("A page keeps the order of the list, and gets another case or enum name if its own is used")
    func pages() async throws {
        try package.write("struct Page {}\n", to: "Sources/Shop/Page.swift")
        #expect(try await package.new("screen", "name").exitCode == 0)
        #expect(
            try package.text("Sources/Shop/Schemas/pages.json") == """
                {
                  "x-swift-name": "ShopPage",
                  "x-pages": {
                    "name": { "description": "TODO: describe what the page name shows.", "x-swift-name": "namePage" }
                  }
                }

                """)
        #expect(try package.text("Sources/Shop/Screens/NameModel.swift").contains(".pageView(.namePage)"))
        let list =
            #"{"x-pages":{"a":{"description":"A."},  "b":{"description":"B.","additional":{"label":"id","description":"C.","x-pii":false}}}}"#
        try package.write(list, to: "Sources/Shop/Schemas/pages.json")
        #expect(try await package.new("screen", "a").exitCode == 0)
        #expect(try package.text("Sources/Shop/Schemas/pages.json") == list)
        let carrying = try await package.new("screen", "b")
        #expect(carrying.exitCode == 64)
        #expect(
            carrying.stderr
                == "trackctl: Sources/Shop/Schemas/pages.json: the page b carries a value that its test must choose: write "
                + "the test by hand\n")
        try package.write("{}", to: "Sources/Shop/Schemas/pages.json")
        #expect(try await package.new("screen", "c").exitCode == 65)
    }

    @Test("Without the plugin the enum of the pages is written, and rewritten for each page")
    func pagesWithoutPlugin() async throws {
        let package = try ShopPackage(makesTypes: false)
        #expect(try await package.new("screen", "basket").lines.contains("new     Sources/Shop/Events/Page.swift"))
        #expect(try await package.new("route", "about").lines.contains("changed Sources/Shop/Events/Page.swift"))
        #expect(try package.text("Sources/Shop/Events/Page.swift").contains("    case about\n"))
        try package.write("enum Page {}\n", to: "Sources/Shop/Events/Page.swift")
        let byHand = try await package.new("route", "help")
        #expect(
            byHand.lines.contains(
                "next    regenerate Page in Sources/Shop/Events/Page.swift: trackctl schema codegen --schemas Schemas"))
    }

    @Test("Cases within #if get their lines, and a message says to add the same conditions")
    func conditional() async throws {
        try package.write(
            "enum AppRoute: RouteCommand {\n#if DEBUG\n    case debug\n#endif\n    case about\n}\n",
            to: "Sources/Shop/A.swift")
        let result = try await package.new("route", "about")
        #expect(result.exitCode == 0 && !result.text.contains("changed"))
        #expect(
            result.lines.contains(
                """
                next    AppRoute has an #if: put the same #if around the lines of its cases in \
                Sources/Shop/Routes/AppRoute+Screen.swift and Tests/ShopTests/Routes/RouteCoverage.swift
                """))
        #expect(try package.text("Tests/ShopTests/Routes/RouteCoverage.swift").contains("        case .debug: nil\n"))
    }

    @Test("Templates become files of the package, which are then used")
    func templates() async throws {
        let copied = try await package.new("templates", below: ".")
        #expect(copied.exitCode == 0)
        #expect(copied.lines.first == "new     .trackctl/templates/event.json.template")
        #expect(copied.lines.count == 18)
        #expect(try await package.new("templates").exitCode == 64)
        try package.write("// {{name}} of {{routes}}\n", to: ".trackctl/templates/ViewModel.swift.template")
        #expect(try await package.new("screen", "basket", "--style", "flux").exitCode == 0)
        #expect(try package.text("Sources/Shop/Screens/BasketViewModel.swift") == "// basket of ShopRoute\n")
        let elsewhere = try await package.new("templates", "T")
        #expect(elsewhere.lines.first == "new     T/event.json.template")
        let built = try await package.new("screen", "help-page", "--templates", "T", "--dry-run")
        #expect(built.text.contains("struct HelpPageViewModel: TrackedScreen {"))
    }

    @Test("Options are read from the configuration file, too")
    func configuration() async throws {
        try package.write("[new route]\nroutes = Places\ntest-target = ShopTests\n", to: ".config/trackctl/config")
        let result = try await package.new("route", "about")
        #expect(result.lines.first == "new     Sources/Shop/Routes/Places.swift")
    }
}
