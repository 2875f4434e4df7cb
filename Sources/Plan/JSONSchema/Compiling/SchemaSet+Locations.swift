/// Access to the schemas of a set without compiling them, for tools that walk through schemas.
extension SchemaSet {
    /// A value in one of the set's documents: a schema, or part of one.
    package struct Location: Hashable, Sendable {
        let location: ResourceIndex.Location
    }

    /// Returns the schema at a URI, with or without a fragment; nil if there is none.
    ///
    /// - Throws: ``SchemaError`` for an invalid schema that only a pointer leads to.
    package mutating func location(of uri: String) throws(SchemaError) -> Location? {
        try index.resolve(URIReference(uri)).map { Location(location: $0) }
    }

    /// Returns the location of a value in the document of another location.
    package func location(of value: JSONDocument.Value, in location: Location) -> Location {
        Location(location: ResourceIndex.Location(document: location.location.document, value: value.index))
    }

    package func value(at location: Location) -> JSONDocument.Value { index.value(location.location) }

    /// Returns the URI of a schema's resource, with a JSON pointer as fragment.
    package func location(of location: Location) -> String { index.location(of: location.location) }

    /// Returns the target of a reference; nil if there is none.
    ///
    /// - Throws: ``SchemaError`` for an invalid schema that only a pointer leads to.
    package mutating func target(of reference: String, in location: Location) throws(SchemaError) -> Location? {
        guard let base = index.resource(at: location.location) else { return nil }
        let uri = URIReference(reference).resolved(against: index.resources[base].uri)
        return try index.resolve(uri).map { Location(location: $0) }
    }

    /// Returns the target of a dynamic reference if evaluation starts at `root`, and no schema in between has the
    /// anchor.
    ///
    /// - Throws: ``SchemaError`` for an invalid schema that only a pointer leads to.
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
