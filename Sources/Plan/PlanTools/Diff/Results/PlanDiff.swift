/// What became of a plan.
package struct PlanDiff: Sendable {
    /// What was compared with: `git:HEAD`, a folder; nil if the versions of one plan were compared with each other.
    package let against: String?
    /// The container and the events, by name; those that did not change too.
    package let events: [EventDiff]

    /// How many findings there are: versions whose numbers promise too much, published versions that changed.
    package var findingCount: Int { events.reduce(0) { $0 + $1.findingCount } }
}
