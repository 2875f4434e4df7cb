internal import JSONSchema

/// All that a value has to be. Equal demands are worked out once.
struct Demand: Hashable {
    /// The schemas that it has to satisfy, the one that asked first in front.
    var schemas: [SchemaSet.Location]
    /// The ways that were taken where schemas leave one open.
    var taken: Set<Choice> = []
    /// Names that an object has to have for the ways taken, and those that it must not have.
    var required: Set<[UInt8]> = []
    var absent: Set<[UInt8]> = []
    /// What its name says of it.
    var field = Field.unknown
    /// The value at its place in each of the examples of the object that it belongs to.
    var examples: [SchemaSet.Location?] = []

    /// The same where one more way was taken.
    func taking(_ choice: Choice, _ way: Way) -> Demand {
        var demand = self
        demand.taken.insert(choice)
        demand.schemas += way.schemas.filter { !schemas.contains($0) }
        demand.required.formUnion(way.required)
        demand.absent.formUnion(way.absent)
        return demand
    }
}

/// A place where a schema leaves a way open.
struct Choice: Hashable {
    enum Keyword: Hashable {
        case anyOf, oneOf, condition, excluded
        case dependent(Int)
    }

    let schema: SchemaSet.Location
    let keyword: Keyword
}

/// One of the ways of a choice: what it asks for besides.
struct Way {
    var schemas: [SchemaSet.Location] = []
    var required: Set<[UInt8]> = []
    var absent: Set<[UInt8]> = []
}
