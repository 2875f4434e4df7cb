internal import Foundation
internal import JSONSchema

/// Finds every subschema of a document, in the order of the text.
struct SchemaNodes {
    private(set) var nodes: [SchemaNode] = []
    private let path: String

    init(of document: JSONDocument, path: String) {
        self.path = path
        add(
            SchemaNode(
                path: path, pointer: JSONPointer(), value: document.root, role: .root, isRequired: false,
                around: nil, keyword: "", base: URIs.resolve(document.root["$id"]?.string, against: "")))
    }

    private mutating func add(_ node: SchemaNode) {
        guard node.value.kind == .object || node.value.kind == .boolean else { return }
        nodes.append(node)
        let required = Set(node["required"]?.elements.compactMap(\.string) ?? [])
        for member in node.value.members {
            let keyword = member.name
            let pointer = node.pointer.appending(keyword)
            if Keywords.schemaMaps.contains(keyword) {
                for entry in member.value.members {
                    let role: SchemaNode.Role =
                        switch keyword {
                        case "properties": .property(entry.name)
                        case "$defs": .definition(entry.name)
                        case "patternProperties": .element
                        default: .inPlace
                        }
                    let isRequired = keyword == "properties" && required.contains(entry.name)
                    add(
                        entry.value, in: node, keyword, at: pointer.appending(entry.name), role,
                        isRequired: isRequired)
                }
            } else if Keywords.schemaLists.contains(keyword) {
                let role: SchemaNode.Role = keyword == "prefixItems" ? .element : .inPlace
                for (index, element) in member.value.elements.enumerated() {
                    add(element, in: node, keyword, at: pointer.appending("\(index)"), role)
                }
            } else if Keywords.schemas.contains(keyword) {
                let isAside = keyword == "propertyNames" || keyword == "contentSchema"
                let role: SchemaNode.Role =
                    isAside ? .aside : Keywords.inPlace.contains(keyword) ? .inPlace : .element
                add(member.value, in: node, keyword, at: pointer, role)
            }
        }
    }

    private mutating func add(
        _ value: JSONDocument.Value, in around: SchemaNode, _ keyword: String, at pointer: JSONPointer,
        _ role: SchemaNode.Role, isRequired: Bool = false
    ) {
        let id = value["$id"]?.string
        add(
            SchemaNode(
                path: path, pointer: pointer, value: value, role: role, isRequired: isRequired,
                around: around.place, keyword: keyword,
                base: id == nil ? around.base : URIs.resolve(id, against: around.base)))
    }
}
