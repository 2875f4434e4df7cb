import CommandRunner
import Foundation
import Testing

@Suite("trackctl new event")
struct TrackctlNewEventTests {
    private static let written = """
        new     Sources/Shop/Schemas/events/checkout-completed/1-0-0.json
        new     Tests/ShopTests/Events/CheckoutCompletedTests.swift
        new     Tests/ShopTests/AppPlan.swift
        new     Sources/Shop/Schemas/README.md
        new     Sources/Shop/Schemas/index.html
        new     Sources/Shop/Schemas/RULES.md
        new     Sources/Shop/Schemas/VERSIONS.md
        next    replace the placeholder descriptions in Sources/Shop/Schemas/events/checkout-completed/1-0-0.json; \
        until then trackctl schema lint reports them
        next    coupon counts as personal: set x-pii in Sources/Shop/Schemas/events/checkout-completed/1-0-0.json to false \
        if not
        next    after each change of the schema: trackctl schema docs Sources/Shop/Schemas
        next    send the event where it occurs: tracker.send(CheckoutCompleted(items: 1, coupon: "text"))
        next    in Tests/ShopTests/Events/CheckoutCompletedTests.swift, replace the marked line with a call of that code
        next    swift test --filter CheckoutCompletedTests

        """

    @Test("Writes schema, test and pages, and prints the next steps")
    func plugin() async throws {
        let package = try ShopPackage()
        let result = try await package.new(
            "event", "checkout-completed", "--property", "items:integer Articles in the basket.", "--property",
            "coupon:string?",
            "--description", "The user\n paid.")
        #expect(result.stderr == "" && result.exitCode == 0)
        #expect(result.text == Self.written)
        let schemas = package.folder.path("Sources/Shop/Schemas")
        #expect(
            try package.text("Sources/Shop/Schemas/events/checkout-completed/1-0-0.json") == """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$id": "https://schemas.shop.example/events/checkout-completed/1-0-0.json",
                  "title": "checkout-completed",
                  "description": "The user paid.",
                  "type": "object",
                  "required": ["name", "value"],
                  "additionalProperties": false,
                  "properties": {
                    "name": { "const": "checkout-completed", "description": "The event's name." },
                    "value": {
                      "type": "object",
                      "description": "The data of the event.",
                      "required": ["items"],
                      "additionalProperties": false,
                      "properties": {
                        "items": { "type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991, "description": "Articles in the basket." },
                        "coupon": { "type": "string", "maxLength": 256, "x-pii": true, "description": "TODO: describe coupon." }
                      }
                    }
                  },
                  "examples": [{ "name": "checkout-completed", "value": { "items": 1, "coupon": "text" } }]
                }

                """)
        let linted = try await trackctl(["schema", "lint", schemas])
        #expect(linted.exitCode == 1 && linted.lines.count == 1)
        #expect(
            linted.text.hasSuffix(
                "1-0-0.json:18:87: replace the placeholder with a description [placeholder-description]\n"))
        let checked = try await trackctl(["schema", "docs", schemas, "--check"])
        #expect(checked.text == "" && checked.stderr == "" && checked.exitCode == 0)
        let test = try package.text("Tests/ShopTests/Events/CheckoutCompletedTests.swift")
        #expect(test.contains("@testable import Shop\n"))
        #expect(test.contains("let event = CheckoutCompleted(items: 1, coupon: \"text\")\n"))
        #expect(test.contains("let tracker = Tracker.mock(recording: recorder)\n") && !test.contains("TrackingCore"))
        #expect(try package.text("Tests/ShopTests/AppPlan.swift").contains("\"../../Sources/Shop/Schemas\""))
    }

    @Test("Without the plugin it writes the type, too, and a plan next to Sources; a second event changes its pages")
    func types() async throws {
        let package = try ShopPackage(makesTypes: false)
        #expect(try await package.new("event", "log-out").exitCode == 0)
        let id = try package.text("Schemas/events/log-out/1-0-0.json").replacingOccurrences(
            of: "shop.example", with: "a.b")
        try package.write(id, to: "Schemas/events/log-out/1-0-0.json")
        _ = try await trackctl(["schema", "lock", package.folder.path("Schemas")])
        let result = try await package.new("event", "paid", "--property", "with:card|invoice", "--access", "public")
        #expect(result.stderr == "")
        #expect(
            result.lines.filter { !$0.hasPrefix("next") } == [
                "new     Schemas/events/paid/1-0-0.json", "new     Sources/Shop/Events/Paid.swift",
                "new     Tests/ShopTests/Events/PaidTests.swift",
                "changed Schemas/README.md", "changed Schemas/index.html",
            ])
        #expect(result.lines.contains("next    when you release the event: trackctl schema lock Schemas"))
        #expect(
            try package.text("Schemas/events/paid/1-0-0.json").contains(#""$id": "https://schemas.a.b/events/paid/"#))
        #expect(try package.text("Sources/Shop/Events/Paid.swift").contains("public struct Paid: TrackingEvent"))
        let generated = try await trackctl([
            "schema", "codegen", "--schemas", package.folder.path("Schemas"), "--output",
            package.folder.path("Sources/Shop/Events"),
        ])
        #expect(generated.lines == ["Paid.swift"])  // internal again; the one of log-out is unchanged
    }

    @Test("With the Flux layer the test has an environment with the app's routes, or its own")
    func flux() async throws {
        let package = try ShopPackage()
        _ = try await package.new("event", "log-out", "--style", "flux")
        let own = try package.text("Tests/ShopTests/Events/LogOutTests.swift")
        #expect(own.contains("import TrackingCore\n") && !own.contains("import Tracking\n"))
        #expect(
            own.contains(
                """
                    func firing() throws {
                        enum NoRoute: RouteCommand {}
                        let recorder = TrackingRecorder(validatingAgainst: try AppPlan.compiled())
                        let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder)
                        let event = LogOut()
                        // Replace this line with a call of your code that sends the event.
                        environment.tracking.send(event)

                """))
        try package.write("enum AppRoute: RouteCommand { case home }\n", to: "Sources/Shop/AppRoute.swift")
        let result = try await package.new("event", "log-in")
        #expect(result.lines.contains("next    send the event where it occurs: environment.tracking.send(LogIn())"))
        #expect(
            try package.text("Tests/ShopTests/Events/LogInTests.swift").contains(
                """
                    func firing() throws {
                        let recorder = TrackingRecorder(validatingAgainst: try AppPlan.compiled())
                        let environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)

                """))
        _ = try await package.new("event", "log-on", "--style", "tracker")
        #expect(try package.text("Tests/ShopTests/Events/LogOnTests.swift").contains("Tracker.mock(recording:"))
    }

    @Test("--lock publishes it immediately")
    func lock() async throws {
        let package = try ShopPackage()
        let result = try await package.new("event", "log-out", "--lock")
        #expect(result.lines.contains("new     Sources/Shop/Schemas/schemas.lock"))
        let schemas = package.folder.path("Sources/Shop/Schemas")
        #expect(try await trackctl(["schema", "lock", schemas, "--check"]).exitCode == 0)
    }

    @Test("A plan with a valid line for each event gets one for the new event, too")
    func exampleLine() async throws {
        let package = try ShopPackage(makesTypes: false)
        try FileManager.default.copyItem(atPath: "Schemas", toPath: package.folder.path("Schemas"))
        let result = try await package.new(
            "event", "paid", "--description", "The user paid.", "--property", "with:card|invoice How.")
        #expect(result.lines[1] == "new     Schemas/examples/good/paid.jsonl")
        let line = try package.text("Schemas/examples/good/paid.jsonl")
        #expect(
            line.hasSuffix(#","schema":"paid/1-0-0","event":{"name":"paid","value":{"with":"card"}}}"# + "\n"),
            "\(line)")
        let schemas = package.folder.path("Schemas")
        let checked = try await trackctl(["schema", "lint", schemas])
        #expect(checked.text == "" && checked.exitCode == 0)
        let validated = try await trackctl(["validate", "\(schemas)/examples/good/paid.jsonl", "--schemas", schemas])
        #expect(validated.exitCode == 0)
    }

    @Test("A plan without pages gets none, and pages of another origin are not changed", arguments: [nil, "# Mine\n"])
    func pages(readme: String?) async throws {
        let package = try ShopPackage()
        _ = try await package.new("event", "log-out")
        for page in ["README.md", "index.html", "RULES.md", "VERSIONS.md"] {
            try FileManager.default.removeItem(atPath: package.folder.path("Sources/Shop/Schemas/\(page)"))
        }
        if let readme { try package.write(readme, to: "Sources/Shop/Schemas/README.md") }
        let result = try await package.new("event", "log-in")
        #expect(result.lines.filter { $0.hasPrefix("new") }.count == 2)
        #expect(!result.text.contains("changed") && !result.text.contains("schema docs"))
    }

    @Test("--dry-run shows the files and writes none")
    func dryRun() async throws {
        let package = try ShopPackage()
        let result = try await package.new("event", "log-out", "--dry-run")
        #expect(result.exitCode == 0)
        #expect(result.lines.filter { $0.hasPrefix("==>") }.count == 7)
        #expect(result.text.hasPrefix("==> new Sources/Shop/Schemas/events/log-out/1-0-0.json\n{\n  \"$schema\": "))
        #expect(result.text.contains("struct LogOutTests {"))
        #expect(result.text.hasSuffix("==> new Sources/Shop/Schemas/VERSIONS.md\n"))
        #expect(try package.files() == [])
    }

    @Test("It runs in subfolders of the package, with correct paths")
    func below() async throws {
        let package = try ShopPackage()
        try package.write("import Tracking\n", to: "Sources/Shop/Shop.swift")
        let result = try await package.new("event", "log-out", "--dry-run", below: "Sources/Shop")
        #expect(result.lines.first == "==> new ../../Sources/Shop/Schemas/events/log-out/1-0-0.json")
        #expect(result.text.contains("\"../../Sources/Shop/Schemas\""))
    }
}
