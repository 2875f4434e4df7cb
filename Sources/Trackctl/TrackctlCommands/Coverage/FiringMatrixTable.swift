internal import CommandSupport
internal import EventFormats
internal import JSONLines
internal import LogFiles
internal import TextRendering
internal import TrackingPlan

/// Which tests assert which event for which route command, read from the file of the test kit's `FiringMatrix`.
struct FiringMatrixTable {
    /// The row for events asserted without a route command.
    static let noRoute = "(no route)"

    /// Route commands in declaration order.
    private var declared: [String] = []
    /// Whether a test declares the route commands. Only declared routes can be reported as missing.
    private(set) var isDeclared = false
    private var seenRoutes: Set<String> = []
    /// The events that count, in plan order.
    private let planned: [String]
    private var seenEvents: Set<String> = []
    /// The tests that assert an event for a route, by route and event.
    private var tests: [String: [String: Set<String>]] = [:]
    /// The tests that assert an event, by event, purpose and consent.
    private var terms: [String: [FiringMatrixLine.ConsentTerms: Set<String>]] = [:]

    /// - Parameter events: The names of the events that count.
    init(events: [String]) {
        planned = events
    }

    /// Route commands in declaration order, then undeclared ones.
    var routes: [String] { declared + seenRoutes.subtracting(declared).sorted() }

    /// Events that count, then others that were asserted.
    var events: [String] { planned + seenEvents.subtracting(planned).sorted() }

    /// Reads the files of test runs; nil without files.
    ///
    /// - Parameter scanned: The plan, whose expected events count; nil to show asserted events only.
    /// - Throws: See ``add(path:)``.
    init?(paths: [String], of scanned: ScanPlan?) throws {
        guard !paths.isEmpty else { return nil }
        self.init(events: scanned.map { $0.plan.newest.filter($0.expects).map(\.name) } ?? [])
        for path in paths { try add(path: path) }
    }

    /// Adds the file of a test run.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure``, `dataError`, with the location of a malformed line.
    mutating func add(path: String) throws {
        let reader = LogFileReader(try LogFileBlocks(path: path))
        while let (line, number) = try reader.next() {
            guard case .complete(let bytes) = line else {
                throw CommandFailure(
                    .dataError, "\(path):\(number): truncated line: run the tests again with a new file")
            }
            guard !bytes.isEmpty else { continue }
            guard let entry = FiringMatrixLine(bytes) else {
                throw CommandFailure(
                    .dataError,
                    "\(path):\(number): not a line of a firing matrix: run the tests again with a new file")
            }
            add(entry)
        }
    }

    private mutating func add(_ entry: FiringMatrixLine) {
        switch entry {
        case .routes(let names):
            declared += names.filter { !declared.contains($0) }
            isDeclared = true
        case .assertion(let assertion, let terms):
            let route = assertion.route ?? Self.noRoute
            if let route = assertion.route { seenRoutes.insert(route) }
            seenEvents.insert(assertion.event)
            tests[route, default: [:]][assertion.event, default: []].insert(assertion.test)
            if let terms { self.terms[assertion.event, default: [:]][terms, default: []].insert(assertion.test) }
        }
    }

    /// Route commands with at least one assertion.
    var routeRatio: CoverageRatio {
        let routes = routes
        return CoverageRatio(seen: routes.count { tests[$0] != nil }, total: routes.count)
    }

    /// Events of the plan with at least one assertion.
    var eventRatio: CoverageRatio {
        let seen = Set(tests.values.flatMap(\.keys))
        return CoverageRatio(seen: planned.count { seen.contains($0) }, total: planned.count)
    }

    /// The routes, and ``noRoute`` if an event was asserted without a route.
    var rows: [String] { routes + (tests[Self.noRoute] == nil ? [] : [Self.noRoute]) }

    /// The names of the tests that assert an event for a route, sorted.
    func tests(of route: String, _ event: String) -> [String] { tests[route]?[event]?.sorted() ?? [] }

    /// Routes without assertions.
    var missingRoutes: [String] { routes.filter { tests[$0] == nil } }

    /// Events without assertions.
    var missingEvents: [String] {
        let seen = Set(tests.values.flatMap(\.keys))
        return events.filter { !seen.contains($0) }
    }

    /// `3 of 3 routes (100.0%), 5 of 5 events (100.0%) asserted`.
    var summary: String {
        let routes =
            isDeclared
            ? "\(routeRatio.seen) of \(routeRatio.total) routes (\(routeRatio.text))"
            : "\(routes.count.counted("route")) of an unknown total"
        return "\(routes), \(eventRatio.seen) of \(eventRatio.total) events (\(eventRatio.text)) asserted"
    }

    /// The advice if no test declares the routes.
    static let adviceToDeclare =
        "no test declares the app's routes: call FiringMatrix.declare(routes:) in a test to list untested routes"

    /// The table, and the routes and events without assertions.
    var text: String {
        var table = TextTable(["tests of"] + events, rightAligned: Set(1...max(1, events.count)))
        for route in rows {
            table.add([route.printable] + events.map { event in tests[route]?[event].map { $0.count.grouped } ?? "-" })
        }
        let consents = consentTable
        let missing = missingRoutes.map { "  route \($0)".printable } + missingEvents.map { "  event \($0)" }
        var lines = ["firing matrix"] + table.lines + [""] + (consents.isEmpty ? [] : consents + [""]) + [summary]
        if !missing.isEmpty { lines += ["not asserted by any test:"] + missing }
        if !isDeclared { lines.append(Self.adviceToDeclare) }
        return lines.joined(separator: "\n")
    }

    /// How many tests assert each event, by its purpose and the consent of its person; empty if no test kit has written
    /// them.
    private var consentTable: [String] {
        guard !terms.isEmpty else { return [] }
        let consents = Set(terms.values.flatMap { $0.keys.map(\.consent) }).sorted()
        var table = TextTable(
            ["tests by consent", "purpose"] + consents, rightAligned: Set(2..<2 + consents.count))
        for event in events {
            let purposes = Set((terms[event] ?? [:]).keys.map(\.purpose)).sorted()
            for purpose in purposes {
                let counts = consents.map { consent in
                    terms[event]?[.init(purpose: purpose, consent: consent)].map { $0.count.grouped } ?? "-"
                }
                table.add([event.printable, purpose.printable] + counts)
            }
        }
        return table.lines
    }

    private var consentJSON: JSONValue {
        .array(
            events.flatMap { event in
                (terms[event] ?? [:]).sorted { ($0.key.purpose, $0.key.consent) < ($1.key.purpose, $1.key.consent) }.map
                {
                    terms, tests in
                    [
                        "event": .string(event), "purpose": .string(terms.purpose), "consent": .string(terms.consent),
                        "tests": .array(tests.sorted().map { .string($0) }),
                    ]
                }
            })
    }

    /// The table as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `routes` and `events` are objects with `seen`, `total` and `percent`. `cells` is a list of objects with
    /// `route` (absent for none), `event`, and `tests`, the sorted names. `consents` is a list of objects with
    /// `event`, its `purpose`, the `consent` of its person (`granted`, or `unknown` for an event that waits), and `tests`.
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
        return ["routes": routeRatio.json, "events": eventRatio.json, "cells": .array(cells), "consents": consentJSON]
    }
}
