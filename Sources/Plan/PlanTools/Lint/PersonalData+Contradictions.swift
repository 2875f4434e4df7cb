internal import JSONSchema

extension PersonalData {
    /// What is wrong with handling the value of a subschema in this way.
    func contradictions(in node: SchemaNode, _ plan: LintPlan) -> [String] {
        switch self {
        case .none, .kept: return []
        case .dropped:
            guard case .property(let name) = node.role else {
                return ["only a property can be dropped: mark the property that this is a part of"]
            }
            return node.isRequired || plan.isRequired(name, of: node)
                ? ["\(name) is required and cannot be dropped: hash it, or require it not"] : []
        case .hashed:
            guard node.types == ["string"] else { return ["only a string can be hashed"] }
            if let longest = node["maxLength"]?.integer, longest < 64 {
                return ["a hash has 64 characters: raise maxLength from \(longest)"]
            }
            let hash = "\"\(String(repeating: "0123456789abcdef", count: 4))\""
            let isRefused = plan.judge.violations(of: hash.utf8, for: node)?.isEmpty == false
            return isRefused ? ["64 hexadecimal digits do not satisfy the keywords beside it: remove those"] : []
        case .truncated(let count):
            guard node.types == ["string"] else { return ["only a string can be truncated"] }
            if let longest = node["maxLength"]?.integer, longest < count {
                return ["nothing is cut: maxLength is \(longest)"]
            }
            if let shortest = node["minLength"]?.integer, shortest > count {
                return ["\(count) characters are fewer than minLength \(shortest)"]
            }
            let shapes = ["pattern", "format", "enum", "const"].filter { node[$0] != nil }
            return shapes.map { "what is left of a cut string may not satisfy \($0)" }
        }
    }
}

extension LintPlan {
    /// Whether any schema of the object that a property belongs to requires it.
    fileprivate func isRequired(_ name: String, of property: SchemaNode) -> Bool {
        guard let object = property.around.flatMap({ references[$0] }) else { return false }
        let parts = meanings.parts
        return parts.allPossible(of: parts.allUsers(of: object)).contains { part in
            let dependent = part["dependentRequired"]?.members.flatMap(\.value.elements) ?? []
            return ((part["required"]?.elements ?? []) + dependent).contains { $0.string == name }
        }
    }
}
