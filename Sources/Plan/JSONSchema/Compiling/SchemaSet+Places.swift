/// What a set knows of its schemas without compiling them: for whoever walks through them.
extension SchemaSet {
    /// A value in one of the documents of a set: a schema, or what one holds.
    package struct Place: Hashable, Sendable {
        let place: ResourceIndex.Place
    }

    /// The schema that a URI leads to, with a fragment or without; nil if none does.
    ///
    /// - Throws: ``SchemaError``, of a schema that only a pointer leads to.
    package mutating func place(of uri: String) throws(SchemaError) -> Place? {
        try index.resolve(URIReference(uri)).map { Place(place: $0) }
    }

    /// A value that stands in the document of a place.
    package func place(of value: JSONDocument.Value, in place: Place) -> Place {
        Place(place: ResourceIndex.Place(document: place.place.document, value: value.index))
    }

    /// What stands at a place.
    package func value(at place: Place) -> JSONDocument.Value { index.value(place.place) }

    /// Where a schema stands: its resource's URI, with a JSON pointer as fragment.
    package func location(of place: Place) -> String { index.location(of: place.place) }

    /// The schema that a reference in a schema leads to; nil if it leads nowhere.
    ///
    /// - Throws: ``SchemaError``, of a schema that only a pointer leads to.
    package mutating func target(of reference: String, in place: Place) throws(SchemaError) -> Place? {
        guard let base = index.resource(at: place.place) else { return nil }
        let uri = URIReference(reference).resolved(against: index.resources[base].uri)
        return try index.resolve(uri).map { Place(place: $0) }
    }

    /// The schema that a dynamic reference leads to if evaluation began at `root`, and nothing in between has the anchor.
    ///
    /// - Throws: ``SchemaError``, of a schema that only a pointer leads to.
    package mutating func dynamicTarget(
        of reference: String, in place: Place, from root: Place
    ) throws(SchemaError) -> Place? {
        let first = try target(of: reference, in: place)
        guard let name = URIReference(reference).decodedFragment.map({ Array($0.utf8) }),
            let known = first.flatMap({ index.resource(at: $0.place) }),
            index.resources[known].dynamicAnchors[name] != nil, let outer = index.resource(at: root.place),
            let outermost = index.resources[outer].dynamicAnchors[name]
        else { return first }
        return Place(place: outermost)
    }
}
