internal import EventModel
internal import JSONSchema

/// Everything that lines can show of a plan.
package struct PlanCoverageMaps: Sendable {
    /// The plan.
    package let plan: EventPlan
    /// In the order of the plan's events.
    package let events: [CoverageMap]
    /// In the order of the plan's containers.
    package let containers: [CoverageMap]

    /// Finds the points of every schema of a plan.
    package init(_ plan: EventPlan) {
        self.plan = plan
        events = plan.events.map { CoverageMap($0, at: "/event", in: plan) }
        containers = plan.containers.map { CoverageMap($0, at: "", in: plan) }
    }

    /// The place of the container that a line is checked against: the newest of its model.
    func container(of line: JSONDocument) -> Int? {
        let model = line.root["v"]?.integer
        return plan.containers.lastIndex { $0.version.model == model } ?? plan.containers.indices.last
    }
}
