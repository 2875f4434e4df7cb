internal import EventModel
package import JSONSchema

/// What was seen of a plan in valid lines: its events, their properties, and the values that are enumerated.
package struct PlanCoverage: Sendable {
    /// What was seen of one schema.
    package struct Entry: Sendable {
        /// Valid lines with it.
        package fileprivate(set) var lines = 0
        /// For each point of its map, whether it was seen.
        package fileprivate(set) var marks: [Bool]
    }

    /// In the order of the plan's events.
    package private(set) var events: [Entry]
    /// In the order of the plan's containers.
    package private(set) var containers: [Entry]
    /// Lines that are not valid: nothing is seen in them.
    package private(set) var invalid = 0
    /// All lines.
    package private(set) var lines = 0
    /// Valid lines with each of the plan's pages, in their order.
    package private(set) var pages: [Int]
    /// Lines on each page that the plan doesn't have, by name: at most ``maximumOtherPages`` names.
    package private(set) var otherPages: [String: Int] = [:]
    /// Lines on pages past that limit, or of names that are not kebab-case.
    package private(set) var linesOnUnnamedPages = 0
    /// Lines of each event that the plan allows without a schema, in its order.
    package private(set) var unplanned: [Int]
    /// How many names of pages are told apart that the plan doesn't have.
    package static let maximumOtherPages = 200

    /// Starts with nothing seen.
    package init(_ maps: PlanCoverageMaps) {
        func entry(_ map: CoverageMap) -> Entry { Entry(marks: Array(repeating: false, count: map.points.count)) }
        events = maps.events.map(entry)
        containers = maps.containers.map(entry)
        pages = Array(repeating: 0, count: maps.plan.pages?.pages.count ?? 0)
        unplanned = Array(repeating: 0, count: maps.plan.unplanned?.events.count ?? 0)
    }

    /// Counts a line that is not valid.
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

    /// Counts a `page-view` whose page the plan doesn't have: it isn't valid.
    package mutating func addInvalid(onPage name: String?) {
        addInvalid()
        addOtherPage(name.flatMap { EventName.isValid($0) ? $0 : nil }, lines: 1)
    }

    private mutating func addOtherPage(_ name: String?, lines: Int) {
        guard let name, otherPages[name] != nil || otherPages.count < Self.maximumOtherPages else {
            linesOnUnnamedPages += lines
            return
        }
        otherPages[name, default: 0] += lines
    }

    /// Takes in what a valid line shows.
    ///
    /// - Parameters:
    ///   - event: The place of its event in the plan.
    ///   - line: The line.
    package mutating func add(_ event: Int, _ line: JSONDocument, _ maps: PlanCoverageMaps) {
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

    /// Takes in what was seen elsewhere.
    package mutating func add(_ other: PlanCoverage) {
        lines += other.lines
        invalid += other.invalid
        for location in pages.indices { pages[location] += other.pages[location] }
        for location in unplanned.indices { unplanned[location] += other.unplanned[location] }
        for name in other.otherPages.keys.sorted() { addOtherPage(name, lines: other.otherPages[name] ?? 0) }
        linesOnUnnamedPages += other.linesOnUnnamedPages
        func add(_ entry: inout Entry, _ other: Entry) {
            entry.lines += other.lines
            for location in entry.marks.indices where other.marks[location] { entry.marks[location] = true }
        }
        for location in events.indices { add(&events[location], other.events[location]) }
        for location in containers.indices { add(&containers[location], other.containers[location]) }
    }
}

/// Everything that lines can show of a plan.
package struct PlanCoverageMaps: Sendable {
    /// The plan.
    package let plan: EventPlan
    /// In the order of the plan's events.
    package let events: [CoverageMap]
    /// In the order of the plan's containers.
    package let containers: [CoverageMap]
    /// The places of the plan's pages by name.
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

    /// The place of the container that a line is checked against: the newest of its model.
    func container(of line: JSONDocument) -> Int? {
        let model = line.root["v"]?.integer
        return plan.containers.lastIndex { $0.version.model == model } ?? plan.containers.indices.last
    }
}
