internal import CommandSupport
internal import JSONLines
internal import LogFiles
internal import TextRendering
internal import TrackingPlan

/// Which tests assert which event of the plan for which route command: what `FiringMatrix` of the test kit wrote.
struct FiringMatrixTable {
    /// What was asserted before any route command was given, or without one.
    static let noRoute = "(no route)"

    /// Route commands in the order in which they were declared.
    private var declared: [String] = []
    /// Whether a test says which route commands there are: one without a test shows only then.
    private(set) var isDeclared = false
    private var seenRoutes: Set<String> = []
    /// The plan's events, in its order.
    private let planned: [String]
    private var seenEvents: Set<String> = []
    /// The tests that assert an event for a route, by route and event.
    private var tests: [String: [String: Set<String>]] = [:]

    /// - Parameter events: The names of the plan's events.
    init(events: [String]) {
        planned = events
    }

    /// Route commands in the order in which they were declared, then those that were only seen.
    var routes: [String] { declared + seenRoutes.subtracting(declared).sorted() }

    /// Events of the plan, then those that the plan does not have.
    var events: [String] { planned + seenEvents.subtracting(planned).sorted() }

    /// What runs of tests wrote; nil without one.
    ///
    /// - Parameter plan: Nil if only what was asserted is to be shown.
    /// - Throws: As ``add(path:)``.
    init?(paths: [String], of plan: EventPlan?) throws {
        guard !paths.isEmpty else { return nil }
        self.init(events: plan?.newest.map(\.name) ?? [])
        for path in paths { try add(path: path) }
    }

    /// Adds what a run of tests wrote.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure``, `dataAtFault`, with the place of a line that is no entry.
    mutating func add(path: String) throws {
        let reader = LogFileReader(try LogFileBlocks(path: path))
        while let (line, number) = try reader.next() {
            guard case .complete(let bytes) = line else {
                throw CommandFailure(
                    .dataError, "\(path):\(number): this line is cut short: run the tests anew into a new file")
            }
            guard !bytes.isEmpty else { continue }
            guard let entry = try? JSONParser.parse(bytes), add(entry) else {
                throw CommandFailure(
                    .dataError,
                    "\(path):\(number): this is no line of a firing matrix: run the tests anew into a new file")
            }
        }
    }

    private mutating func add(_ entry: JSONValue) -> Bool {
        if case .array(let declared)? = entry["routes"] {
            let names = declared.compactMap(\.stringValue)
            self.declared += names.filter { !self.declared.contains($0) }
            isDeclared = true
            return true
        }
        guard let event = entry["event"]?.stringValue, let location = entry["place"]?.stringValue else { return false }
        let route = entry["route"]?.stringValue ?? Self.noRoute
        if route != Self.noRoute { seenRoutes.insert(route) }
        seenEvents.insert(event)
        tests[route, default: [:]][event, default: []].insert(entry["test"]?.stringValue ?? location)
        return true
    }

    /// How many of the route commands a test asserts something for.
    var routeRatio: CoverageRatio {
        let routes = routes
        return CoverageRatio(seen: routes.count { tests[$0] != nil }, total: routes.count)
    }

    /// How many of the plan's events a test asserts.
    var eventRatio: CoverageRatio {
        let seen = Set(tests.values.flatMap(\.keys))
        return CoverageRatio(seen: planned.count { seen.contains($0) }, total: planned.count)
    }

    /// The routes, and ``noRoute`` if something was asserted without one.
    var rows: [String] { routes + (tests[Self.noRoute] == nil ? [] : [Self.noRoute]) }

    /// The names of the tests that assert an event for a route, in order.
    func tests(of route: String, _ event: String) -> [String] { tests[route]?[event]?.sorted() ?? [] }

    /// Routes for which no test asserts anything.
    var missingRoutes: [String] { routes.filter { tests[$0] == nil } }

    /// Events that no test asserts.
    var missingEvents: [String] {
        let seen = Set(tests.values.flatMap(\.keys))
        return events.filter { !seen.contains($0) }
    }

    /// `3 of 3 routes (100.0%), 5 of 5 events (100.0%) are asserted`.
    var summary: String {
        let routes =
            isDeclared
            ? "\(routeRatio.seen) of \(routeRatio.total) routes (\(routeRatio.text))"
            : "\(routes.count.counted("route")) of an unknown number"
        return "\(routes), \(eventRatio.seen) of \(eventRatio.total) events (\(eventRatio.text)) are asserted"
    }

    /// What to do where nobody says which routes there are.
    static let adviceToDeclare =
        "no test says which routes the app has: call FiringMatrix.declare(routes:) in one, so that a route without a test shows"

    /// The table, and which routes and events no test asserts.
    var text: String {
        var table = TextTable(["tests of"] + events, rightAligned: Set(1...max(1, events.count)))
        for route in rows {
            table.add([route.printable] + events.map { event in tests[route]?[event].map { $0.count.grouped } ?? "-" })
        }
        let missing = missingRoutes.map { "  route \($0)".printable } + missingEvents.map { "  event \($0)" }
        var lines = ["firing matrix"] + table.lines + ["", summary]
        if !missing.isEmpty { lines += ["no test asserts anything of:"] + missing }
        if !isDeclared { lines.append(Self.adviceToDeclare) }
        return lines.joined(separator: "\n")
    }

    /// The same as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `routes` and `events` are objects with `seen`, `total`, `percent`; `cells` a list of objects with `route` (missing
    /// for none), `event` and `tests`, their names in order.
    var json: JSONValue {
        let cells = rows.flatMap { route in
            events.compactMap { event -> JSONValue? in
                let names = tests(of: route, event)
                guard !names.isEmpty else { return nil }
                var cell: [String: JSONValue] = [
                    "event": .string(event), "tests": .array(names.map { .string($0) }),
                ]
                if route != Self.noRoute { cell["route"] = .string(route) }
                return .object(cell)
            }
        }
        return ["routes": routeRatio.json, "events": eventRatio.json, "cells": .array(cells)]
    }
}
