internal import JSONSchema

/// All requirements on a value. Equal demands share one shape.
struct Demand: Hashable {
    /// The schemas that the value must satisfy, the primary one first.
    var schemas: [SchemaSet.Location]
    /// The alternatives that were selected.
    var taken: Set<Choice> = []
    /// Member names that the selected alternatives require, and names that they exclude.
    var required: Set<[UInt8]> = []
    var absent: Set<[UInt8]> = []
    /// The meaning of the value's name.
    var field = Field.unknown
    /// The value's counterpart in each example of the enclosing object.
    var examples: [SchemaSet.Location?] = []

    /// Returns the demand with one more alternative selected.
    func selecting(_ choice: Choice, _ way: Alternative) -> Demand {
        var demand = self
        demand.taken.insert(choice)
        demand.schemas += way.schemas.filter { !schemas.contains($0) }
        demand.required.formUnion(way.required)
        demand.absent.formUnion(way.absent)
        return demand
    }
}

/// A choice between alternatives in a schema.
struct Choice: Hashable {
    enum Keyword: Hashable {
        case anyOf, oneOf, condition, excluded
        case dependent(Int)
    }

    let schema: SchemaSet.Location
    let keyword: Keyword
}

/// The additional requirements of an alternative.
struct Alternative {
    var schemas: [SchemaSet.Location] = []
    var required: Set<[UInt8]> = []
    var absent: Set<[UInt8]> = []
}
