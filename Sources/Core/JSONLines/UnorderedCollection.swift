/// A collection of the standard library that encodes as a list in an order of chance.
protocol UnorderedCollection {
    /// How many elements of that list belong together.
    static var elementWidth: Int { get }
}

extension Set: UnorderedCollection {
    static var elementWidth: Int { 1 }
}

/// A dictionary whose keys are neither strings nor integers encodes as a list of key, value, key, value …
extension Dictionary: UnorderedCollection {
    static var elementWidth: Int { 2 }
}
