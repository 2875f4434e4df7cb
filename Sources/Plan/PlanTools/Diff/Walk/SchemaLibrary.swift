internal import Foundation
internal import JSONSchema
internal import TrackingPlan

/// The schemas of one plan by their URIs, for references.
struct SchemaLibrary {
    private var resources: [String: SchemaPlace] = [:]
    private let names: [ObjectIdentifier: String]

    /// - Parameter folder: Names the files.
    init(_ schemas: [PlanSchema], in folder: PlanFolder) {
        names = Dictionary(schemas.map { (ObjectIdentifier($0.document), folder.place(of: $0.path)) }) { first, _ in
            first
        }
        for schema in schemas { register(SchemaPlace(root: schema.document), base: nil) }
    }

    private mutating func register(_ place: SchemaPlace, base: URL?) {
        var base = base
        if let id = place.value["$id"]?.string, let url = URL(string: id, relativeTo: base)?.absoluteURL {
            base = url
            resources[Self.withoutFragment(url.absoluteString)] = place
        }
        switch place.value.kind {
        case .object:
            for member in place.members where !["const", "enum", "examples", "default"].contains(member.name) {
                register(member.place, base: base)
            }
        case .array: for element in place.elements { register(element, base: base) }
        default: break
        }
    }

    private static func withoutFragment(_ uri: String) -> String {
        uri.split(separator: "#").first.map(String.init) ?? ""
    }

    /// The file that a place is in, as messages name it, and its line.
    func file(of place: SchemaPlace) -> (path: String, line: Int) {
        let document = place.value.document
        return (names[ObjectIdentifier(document)] ?? "", document.position(ofOffset: place.value.offset).line)
    }

    /// What a `$ref` leads to; nil if it leads out of the plan, or to nothing.
    func follow(_ reference: String, from place: SchemaPlace) -> SchemaPlace? {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count == 2 ? String(parts[1]).removingPercentEncoding ?? "" : ""
        var resource: SchemaPlace? = place.inResource(JSONPointer())
        if let uri = parts.first, !uri.isEmpty {
            let base = place.resource["$id"]?.string.flatMap { URL(string: $0) }
            guard let url = URL(string: String(uri), relativeTo: base) else { return nil }
            resource = resources[Self.withoutFragment(url.absoluteURL.absoluteString)]
        }
        guard let resource else { return nil }
        if fragment.isEmpty { return resource }
        if let way = JSONPointer(fragment) { return resource.inResource(way) }
        return Self.anchor(fragment, in: resource)
    }

    private static func anchor(_ name: String, in place: SchemaPlace) -> SchemaPlace? {
        if place.value["$anchor"]?.string == name || place.value["$dynamicAnchor"]?.string == name { return place }
        let inner = place.value.kind == .object ? place.members.map(\.place) : place.elements
        for place in inner where place.pointer != place.resourcePointer {
            if let found = anchor(name, in: place) { return found }
        }
        return nil
    }
}
