internal import SwiftSyntax

/// The associated types of a protocol and its inherited protocols: the generic parameters of the double.
struct AssociatedTypes {
    private var names: [String] = []
    private var bounds: [String: [String]] = [:]
    private var fixed: [String: String] = [:]
    private var requirements: [String] = []

    /// Adds the associated types and constraints of a protocol.
    mutating func add(_ declaration: ProtocolDeclaration) {
        for type in declaration.associatedTypes {
            let name = type.name.text
            if !names.contains(name) { names.append(name) }
            for bound in type.inheritanceClause?.inheritedTypes ?? [] {
                let text = SourceText.plain(bound.type)
                if !bounds[name, default: []].contains(text) { bounds[name, default: []].append(text) }
            }
            add(type.genericWhereClause)
        }
        add(declaration.syntax.genericWhereClause)
    }

    /// Fixes the primary associated types, as in `Store<Int>`.
    mutating func fix(_ names: [String], _ types: [String]) {
        for (name, type) in zip(names, types) where name != type { fixed[name] = type }
    }

    private mutating func add(_ clause: GenericWhereClauseSyntax?) {
        for item in clause?.requirements ?? [] {
            if case .sameTypeRequirement(let same) = item.requirement {
                let left = Self.text(same.leftType)
                let right = Self.text(same.rightType)
                if !left.contains(".") && left.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
                    fixed[left] = right
                    continue
                }
            }
            let text = Self.text(item.requirement)
            if !requirements.contains(text) { requirements.append(text) }
        }
    }

    private static func text(_ node: some SyntaxProtocol) -> String {
        SourceText.replace("Self", in: SourceText.plain(node)) { $0 ? "" : nil }
    }

    /// Whether `ID` of `Identifiable` must differ from the `ObjectIdentifier` that every object has.
    var hasOtherID: Bool {
        let given = ["Sendable", "Hashable", "Equatable", "Comparable"].map { "ID: \($0)" }
        return names.contains("ID") || fixed["ID"].map { $0 != "ObjectIdentifier" } ?? false
            || requirements.contains { Self.isOf("ID", $0) && !given.contains($0) }
    }

    /// The names of the generic parameters.
    var openNames: [String] { names.filter { fixed[$0] == nil } }

    /// The parameters that may be noncopyable: their values cannot be recorded.
    var uncopiedNames: [String] { openNames.filter { bounds[$0, default: []].contains { $0.contains("~") } } }

    /// `<Item: Identifiable, Key>`, or nothing.
    var parameters: String {
        let texts = openNames.map { name in
            bounds[name].map { "\(name): \($0.joined(separator: " & "))" } ?? name
        }
        return texts.isEmpty ? "" : "<\(texts.joined(separator: ", "))>"
    }

    /// ` where …`, or empty. The protocol itself checks constraints on fixed types.
    var whereClause: String {
        let open = requirements.filter { text in openNames.contains { Self.isOf($0, text) } }
        return open.isEmpty ? "" : " where \(open.joined(separator: ", "))"
    }

    /// Whether a constraint applies to the type with a name.
    private static func isOf(_ name: String, _ demand: String) -> Bool {
        demand == name || [".", ":", " "].contains { demand.hasPrefix(name + $0) }
    }

    /// The fixed types, sorted by name.
    var aliases: [(name: String, type: String)] {
        fixed.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
