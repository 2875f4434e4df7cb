internal import EventModel
package import JSONSchema

/// The coverage of a plan by valid lines: its events, their properties, and their enumerated values.
package struct PlanCoverage: Sendable {
    package struct Entry: Sendable {
        /// The number of valid lines.
        package fileprivate(set) var lines = 0
        /// Whether each point of its map was covered.
        package fileprivate(set) var marks: [Bool]
    }

    /// The events, in the order of the plan.
    package private(set) var events: [Entry]
    /// The containers, in the order of the plan.
    package private(set) var containers: [Entry]
    /// The number of invalid lines, which cover nothing.
    package private(set) var invalid = 0
    package private(set) var lines = 0
    /// The number of valid lines for each of the plan's pages, in their order.
    package private(set) var pages: [Int]
    /// The number of lines for each page that is not in the plan, by name; at most ``maximumOtherPages`` names.
    package private(set) var otherPages: [String: Int] = [:]
    /// The number of lines with pages beyond that limit, or with names that are not kebab-case.
    package private(set) var linesOnUnnamedPages = 0
    /// The number of lines for each event that is not in the plan, by reference, `search/2-0-0`; at most
    /// ``maximumOtherEvents``.
    package private(set) var otherEvents: [String: Int] = [:]
    /// The number of lines with events beyond that limit.
    package private(set) var linesOfUnnamedEvents = 0
    /// The maximum number of distinct events that are not in the plan.
    package static let maximumOtherEvents = 200
    /// The number of lines for each event that the plan allows without a schema, in its order.
    package private(set) var unplanned: [Int]
    /// The maximum number of distinct pages that are not in the plan.
    package static let maximumOtherPages = 200

    /// Makes empty coverage.
    package init(_ maps: PlanCoverageMaps) {
        func entry(_ map: CoverageMap) -> Entry { Entry(marks: Array(repeating: false, count: map.points.count)) }
        events = maps.events.map(entry)
        containers = maps.containers.map(entry)
        pages = Array(repeating: 0, count: maps.plan.pages?.pages.count ?? 0)
        unplanned = Array(repeating: 0, count: maps.plan.unplanned?.events.count ?? 0)
    }

    /// Counts an invalid line.
    package mutating func addInvalid() {
        lines += 1
        invalid += 1
    }

    /// Counts a line of an event that the plan allows without a schema.
    package mutating func addUnplanned(_ name: String?, _ maps: PlanCoverageMaps) {
        lines += 1
        if let location = maps.plan.unplanned?.events.firstIndex(where: { $0.name == name }) {
            unplanned[location] += 1
        }
    }

    /// Counts an invalid `page-view` with a page that is not in the plan.
    package mutating func addInvalid(onPage name: String?) {
        addInvalid()
        addOtherPage(name.flatMap { EventName.isValid($0) ? $0 : nil }, lines: 1)
    }

    /// Counts an invalid line with an event, or a version of it, that is not in the plan.
    package mutating func addInvalid(ofEvent reference: String) {
        addInvalid()
        addOtherEvent(reference, lines: 1)
    }

    private mutating func addOtherEvent(_ reference: String, lines: Int) {
        guard otherEvents[reference] != nil || otherEvents.count < Self.maximumOtherEvents else {
            linesOfUnnamedEvents += lines
            return
        }
        otherEvents[reference, default: 0] += lines
    }

    private mutating func addOtherPage(_ name: String?, lines: Int) {
        guard let name, otherPages[name] != nil || otherPages.count < Self.maximumOtherPages else {
            linesOnUnnamedPages += lines
            return
        }
        otherPages[name, default: 0] += lines
    }

    /// Adds the coverage of a valid line.
    ///
    /// - Parameters:
    ///   - event: The index of its event in the plan.
    ///   - line: The line.
    package mutating func add(event: Int, line: JSONDocument, maps: PlanCoverageMaps) {
        lines += 1
        events[event].lines += 1
        if let value = line.root["event"] { maps.events[event].mark(value, in: &events[event].marks) }
        if !pages.isEmpty, maps.plan.events[event].name == PlannedPages.eventName,
            let page = line.root["event"]?["value"]?["page"]?.string, let location = maps.pageLocations[page]
        {
            pages[location] += 1
        }
        guard let container = maps.container(of: line) else { return }
        containers[container].lines += 1
        maps.containers[container].mark(line.root, in: &containers[container].marks)
    }

    package mutating func add(_ other: PlanCoverage) {
        lines += other.lines
        invalid += other.invalid
        for location in pages.indices { pages[location] += other.pages[location] }
        for location in unplanned.indices { unplanned[location] += other.unplanned[location] }
        for name in other.otherPages.keys.sorted() { addOtherPage(name, lines: other.otherPages[name] ?? 0) }
        linesOnUnnamedPages += other.linesOnUnnamedPages
        for name in other.otherEvents.keys.sorted() { addOtherEvent(name, lines: other.otherEvents[name] ?? 0) }
        linesOfUnnamedEvents += other.linesOfUnnamedEvents
        func add(_ entry: inout Entry, _ other: Entry) {
            entry.lines += other.lines
            for location in entry.marks.indices where other.marks[location] { entry.marks[location] = true }
        }
        for location in events.indices { add(&events[location], other.events[location]) }
        for location in containers.indices { add(&containers[location], other.containers[location]) }
    }
}

/// The coverage points of a plan.
package struct PlanCoverageMaps: Sendable {
    package let plan: EventPlan
    /// The maps of events, in the order of the plan.
    package let events: [CoverageMap]
    /// The maps of containers, in the order of the plan.
    package let containers: [CoverageMap]
    /// The indexes of the plan's pages by name.
    let pageLocations: [String: Int]

    /// Finds the points of every schema of a plan.
    package init(_ plan: EventPlan) {
        self.plan = plan
        pageLocations = Dictionary(
            (plan.pages?.pages ?? []).enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let tree = plan.tree
        events = plan.events.map { CoverageMap($0, at: "/event", in: tree) }
        containers = plan.containers.map { CoverageMap($0, at: "", in: tree) }
    }

    /// Returns the index of the container schema for a line: the newest of its model.
    func container(of line: JSONDocument) -> Int? {
        let model = line.root["v"]?.integer
        return plan.containers.lastIndex { $0.version.model == model } ?? plan.containers.indices.last
    }
}
