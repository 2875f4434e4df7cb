package import TrackingPlan

/// A property of an event, as a plan describes it.
package struct PropertyFacts: Equatable, Sendable {
    /// The path within the event: `value.query`, `value.pages[].title`; `[0]` is the first element of an array, `*`
    /// stands for the unnamed members, `/^x/` for members whose names match a pattern.
    package let path: String
    /// The type, in words: `string`, `array of strings`, `uuid`.
    package let type: String
    /// Whether its object requires it; nil for array elements and unnamed members.
    package let isRequired: Bool?
    /// The limits, in short phrases: `1 to 64 characters`.
    package let limits: [String]
    /// The description in the schema; may be empty.
    package let description: String
    /// How the value is personal, in words; nil if it is not personal.
    package let personal: String?

    /// Returns the properties of every event version of a plan, by schema reference such as `search/1-0-0`.
    package static func all(in plan: EventPlan) -> [String: [PropertyFacts]] {
        let table = PropertyTable(plan.events)
        return Dictionary(
            plan.events.map { schema in (schema.reference, table.rows(of: schema.path).rows.map(PropertyFacts.init)) },
            uniquingKeysWith: { first, _ in first })
    }

    private init(_ row: PropertyRow) {
        path = row.path
        type = row.type
        isRequired = row.isRequired
        limits = row.limits
        description = row.description
        personal = row.personal?.label
    }
}
