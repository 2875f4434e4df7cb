import CommandRunner
import Foundation
import Testing

@Suite("trackctl and the events of an app's own plan")
struct TrackctlOwnEventsTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        for event in ["order", "basket"] {
            try FileManager.default.createDirectory(
                atPath: folder("plan/events/\(event)"), withIntermediateDirectories: true)
            _ = try folder.file(
                "plan/events/\(event)/1-0-0.json",
                """
                {"$id": "https://example.com/events/\(event)/1-0-0.json", "type": "object",
                 "properties": {"name": {"const": "\(event)"}, "value": {"type": "object"}}}

                """)
        }
    }

    private let lines = [PlannedLine(), PlannedLine(), PlannedLine(name: "order")]

    private func validate(_ arguments: String...) async throws -> CommandResult {
        let file = try folder.file("a.jsonl", lines.text)
        return try await trackctl(["validate", "--schemas", folder("plan"), file] + arguments)
    }

    @Test("validate reports missing events of the app, and none that comes with the SDK")
    func unused() async throws {
        let text = try await validate().text
        #expect(text.contains("\n\nin the plan, never seen: basket\n"))
        #expect(!text.contains("search") && !text.contains("notification"))
        #expect(try await validate("--format", "json").text.contains(#""unused":["basket/1-0-0"]"#))
        #expect(try await validate("--fail-on", "unused").exitCode == 1)
        try FileManager.default.removeItem(atPath: folder("plan/events/basket"))
        let complete = try await validate("--fail-on", "unused")
        #expect(complete.exitCode == 0 && !complete.text.contains("never seen"))
    }

    @Test("Missing events of a set that the plan picks are reported, and page-view if it lists pages")
    func sets() async throws {
        _ = try folder.file("plan/sets.json", #"["life-cycle"]"#)
        _ = try folder.file("plan/pages.json", #"{"x-pages": {"basket": {"description": "B."}}}"#)
        let text = try await validate().text
        #expect(
            text.contains(
                """
                in the plan, never seen: app-backgrounded, app-foregrounded, app-installed, app-opened, app-updated, \
                basket, link-opened, page-view

                """), "\(text)")
    }

    @Test("coverage counts the app's events; those of the SDK are listed separately")
    func coverage() async throws {
        let file = try folder.file("a.jsonl", lines.text)
        let result = try await trackctl(["coverage", "--schemas", folder("plan"), "--tests", file])
        #expect(
            result.text == """
                tests
                event         lines  seen  of  percent
                basket/1-0-0      0     0   4     0.0%
                order/1-0-0       1     3   4    75.0%
                total             3     3   8    37.5%

                never seen in the tests:
                  basket/1-0-0
                  order/1-0-0
                    /event/value

                SDK events in the tests (not counted):
                  launch/1-0-0: 2 lines

                """)
        let json = try await trackctl(["coverage", "--schemas", folder("plan"), "--tests", file, "--json"])
        #expect(json.text.contains(#""never_seen":["basket/1-0-0"],"not_in_plan":[],"#), "\(json.text)")
    }

    @Test("coverage lists events without a schema by name, and does not call their lines invalid")
    func withoutSchema() async throws {
        let byHand = [
            PlannedLine(name: "note-removed", value: #"{"position":3}"#), PlannedLine(name: "note-removed"),
            PlannedLine(name: "order", schema: "order/2-0-0"), PlannedLine(name: "order", value: "3"),
        ]
        let file = try folder.file("a.jsonl", (lines + byHand).text)
        let result = try await trackctl(["coverage", "--schemas", folder("plan"), "--tests", file])
        #expect(
            result.text.contains(
                """

                not in the plan, seen in the tests (not counted); run trackctl validate for advice:
                  note-removed/1-0-0: 2 lines
                  order/2-0-0: 1 line

                """), "\(result.text)")
        #expect(result.text.hasSuffix("\n1 invalid line not counted: run trackctl validate for details\n"))
        let json = try await trackctl(["coverage", "--schemas", folder("plan"), "--tests", file, "--json"])
        #expect(
            json.text.contains(
                #""not_in_plan":[{"event":"note-removed/1-0-0","lines":2},{"event":"order/2-0-0","lines":1}]"#))
        #expect(json.text.contains(#""invalid":4,"lines":7,"#))
    }

    @Test("Beyond 200 events that are not in the plan, lines are counted together, for any number of threads")
    func manyWithoutSchema() async throws {
        let file = try folder.file("a.jsonl", (1...205).map { PlannedLine(name: "e\($0)") }.text)
        let arguments = ["coverage", "--schemas", folder("plan"), file]
        let one = try await trackctl(arguments + ["--jobs", "1"])
        #expect(one.text.contains("\n  other names: 5 lines\n") && !one.text.contains("invalid"))
        #expect(try await trackctl(arguments + ["--jobs", "3"]).text == one.text)
    }

    @Test("A firing matrix counts the app's events, and shows others that a test asserts")
    func matrix() async throws {
        let file = try folder.file(
            "matrix.jsonl",
            """
            {"routes":["home"]}
            {"event":"launch","place":"T/F.swift:3","route":"home","test":"a"}
            {"event":"order","place":"T/F.swift:9","route":"home","test":"b"}

            """)
        let result = try await trackctl(["coverage", "--schemas", folder("plan"), "--matrix", file])
        #expect(
            result.text == """
                firing matrix
                tests of  basket  order  launch
                home           -      1       1

                1 of 1 routes (100.0%), 1 of 2 events (50.0%) asserted
                not asserted by any test:
                  event basket

                """)
    }
}
