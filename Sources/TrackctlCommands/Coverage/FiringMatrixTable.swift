internal import CommandSupport
internal import JSONLines
internal import LogFiles
internal import TerminalText
internal import TrackingPlan

/// Which tests assert which event of the plan for which route command: what `FiringMatrix` of the test kit wrote.
struct FiringMatrixTable {
    /// What was asserted before any route command was given, or without one.
    static let noRoute = "(no route)"

    /// Route commands in the order in which they were declared, then those that were only seen.
    private(set) var routes: [String] = []
    /// Events of the plan, then those that the plan does not have.
    private(set) var events: [String]
    private let planned: Set<String>
    /// The tests that assert an event for a route, by route and event.
    private var tests: [String: [String: Set<String>]] = [:]

    /// - Parameter events: The names of the plan's events.
    init(events: [String]) {
        self.events = events
        planned = Set(events)
    }

    /// Adds what a run of tests wrote.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure``, `dataAtFault`, with the place of a line that is no entry.
    mutating func add(path: String) throws {
        let reader = LogFileReader(try LogFileBlocks(path: path))
        while let (line, number) = try reader.next() {
            guard case .complete(let bytes) = line, !bytes.isEmpty else { continue }
            guard let entry = try? JSONParser.parse(bytes), add(entry) else {
                throw CommandFailure(
                    .dataAtFault,
                    "\(path):\(number): this is no line of a firing matrix: run the tests anew into a new file")
            }
        }
    }

    private mutating func add(_ entry: JSONValue) -> Bool {
        if case .array(let declared)? = entry["routes"] {
            for route in declared.compactMap(\.stringValue) where !routes.contains(route) { routes.append(route) }
            return true
        }
        guard let event = entry["event"]?.stringValue, let place = entry["place"]?.stringValue else { return false }
        let route = entry["route"]?.stringValue ?? Self.noRoute
        if route != Self.noRoute, !routes.contains(route) { routes.append(route) }
        if !events.contains(event) { events.append(event) }
        tests[route, default: [:]][event, default: []].insert(entry["test"]?.stringValue ?? place)
        return true
    }

    /// How many of the route commands a test asserts something for.
    var routeRatio: CoverageRatio { CoverageRatio(seen: routes.count { tests[$0] != nil }, total: routes.count) }

    /// How many of the plan's events a test asserts.
    var eventRatio: CoverageRatio {
        let seen = Set(tests.values.flatMap(\.keys))
        return CoverageRatio(seen: planned.count { seen.contains($0) }, total: planned.count)
    }

    private var rows: [String] { routes + (tests[Self.noRoute] == nil ? [] : [Self.noRoute]) }

    /// The table, and which routes and events no test asserts.
    var text: String {
        var table = TextTable(["tests of"] + events, rightAligned: Set(1...max(1, events.count)))
        for route in rows {
            table.add([route.printable] + events.map { event in tests[route]?[event].map { $0.count.grouped } ?? "-" })
        }
        let seen = Set(tests.values.flatMap(\.keys))
        let missing =
            routes.filter { tests[$0] == nil }.map { "  route \($0)".printable }
            + events.filter { !seen.contains($0) }.map { "  event \($0)" }
        let routes = "\(routeRatio.seen) of \(routeRatio.total) routes (\(routeRatio.text))"
        let events = "\(eventRatio.seen) of \(eventRatio.total) events (\(eventRatio.text))"
        var lines = ["firing matrix"] + table.lines + ["", "\(routes), \(events) are asserted"]
        if !missing.isEmpty { lines += ["no test asserts anything of:"] + missing }
        return lines.joined(separator: "\n")
    }

    /// The same as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `routes` and `events` are objects with `seen`, `total`, `percent`; `cells` a list of objects with `route` (missing
    /// for none), `event` and `tests`, their names in order.
    var json: JSONValue {
        let cells = rows.flatMap { route in
            events.compactMap { event -> JSONValue? in
                guard let names = tests[route]?[event] else { return nil }
                var cell: [String: JSONValue] = [
                    "event": .string(event), "tests": .array(names.sorted().map { .string($0) }),
                ]
                if route != Self.noRoute { cell["route"] = .string(route) }
                return .object(cell)
            }
        }
        return ["routes": routeRatio.json, "events": eventRatio.json, "cells": .array(cells)]
    }
}
