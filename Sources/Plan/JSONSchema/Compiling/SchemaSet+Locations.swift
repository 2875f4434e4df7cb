/// What a set knows of its schemas without compiling them: for whoever walks through them.
extension SchemaSet {
    /// A value in one of the documents of a set: a schema, or what one holds.
    package struct Location: Hashable, Sendable {
        let location: ResourceIndex.Location
    }

    /// The schema that a URI leads to, with a fragment or without; nil if none does.
    ///
    /// - Throws: ``SchemaError``, of a schema that only a pointer leads to.
    package mutating func location(of uri: String) throws(SchemaError) -> Location? {
        try index.resolve(URIReference(uri)).map { Location(location: $0) }
    }

    /// A value that stands in the document of a place.
    package func location(of value: JSONDocument.Value, in location: Location) -> Location {
        Location(location: ResourceIndex.Location(document: location.location.document, value: value.index))
    }

    /// What stands at a place.
    package func value(at location: Location) -> JSONDocument.Value { index.value(location.location) }

    /// Where a schema stands: its resource's URI, with a JSON pointer as fragment.
    package func location(of location: Location) -> String { index.location(of: location.location) }

    /// The schema that a reference in a schema leads to; nil if it leads nowhere.
    ///
    /// - Throws: ``SchemaError``, of a schema that only a pointer leads to.
    package mutating func target(of reference: String, in location: Location) throws(SchemaError) -> Location? {
        guard let base = index.resource(at: location.location) else { return nil }
        let uri = URIReference(reference).resolved(against: index.resources[base].uri)
        return try index.resolve(uri).map { Location(location: $0) }
    }

    /// The schema that a dynamic reference leads to if evaluation began at `root`, and nothing in between has the anchor.
    ///
    /// - Throws: ``SchemaError``, of a schema that only a pointer leads to.
    package mutating func dynamicTarget(
        of reference: String, in location: Location, from root: Location
    ) throws(SchemaError) -> Location? {
        let first = try target(of: reference, in: location)
        guard let name = URIReference(reference).decodedFragment.map({ Array($0.utf8) }),
            let known = first.flatMap({ index.resource(at: $0.location) }),
            index.resources[known].dynamicAnchors[name] != nil, let outer = index.resource(at: root.location),
            let outermost = index.resources[outer].dynamicAnchors[name]
        else { return first }
        return Location(location: outermost)
    }
}
