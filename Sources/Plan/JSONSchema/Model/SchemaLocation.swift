/// The location of a schema in errors: the URI of its resource, with a JSON pointer as fragment.
package struct SchemaLocation: Hashable, Sendable, CustomStringConvertible {
    /// The URI without a fragment.
    package let uri: String
    /// The fragment; nil if it is not a pointer.
    package let pointer: JSONPointer?

    package init(uri: String, pointer: JSONPointer) {
        self.uri = uri
        self.pointer = pointer
    }

    /// Parses a location: see ``SchemaError/location``.
    package init(_ text: String) {
        let hash = text.utf8.firstIndex(of: UInt8(ascii: "#"))
        uri = String(text[..<(hash ?? text.endIndex)])
        pointer = JSONPointer(URIReference(text).decodedFragment ?? "")
    }

    /// The location as `https://example.org/order.json#/properties/total`.
    package var description: String { uri + "#" + URIReference.encodedFragment(pointer?.description ?? "") }
}
