package import EventModel

/// What became of one event, or of the container, from one plan to another.
package struct EventDiff: Sendable {
    /// Its name.
    package let name: String
    /// Its versions in the new plan that the old one has not, the oldest first; all of them if there is no old plan.
    package let added: [SchemaVersion]
    /// Whether the old plan does not have it at all; always if there is no old plan.
    package let isNew: Bool
    /// The pairs of versions that were compared.
    package let comparisons: [Compared]
    /// The published versions that are not what they were.
    package let faults: [PublishedFault]

    /// A pair of versions, and the name that the newer one should have.
    package struct Compared: Sendable {
        /// What changed.
        package let diff: VersionDiff
        /// The version that it needs; nil if its own is right.
        package let proposed: SchemaVersion?
    }

    /// How many findings there are.
    package var findingCount: Int { faults.count + comparisons.count { $0.diff.isTooSmall } }
}
