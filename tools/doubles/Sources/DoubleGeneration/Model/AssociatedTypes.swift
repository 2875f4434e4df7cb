internal import SwiftSyntax

/// The associated types of a protocol and of those that it inherits: the generic parameters of the double.
struct AssociatedTypes {
    private var names: [String] = []
    private var bounds: [String: [String]] = [:]
    private var fixed: [String: String] = [:]
    private var requirements: [String] = []

    /// Takes what a protocol declares and demands.
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

    /// Says what the primary associated types are: `Store<Int>`.
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

    /// Whether `ID` of `Identifiable` has to be something else than the `ObjectIdentifier` that an object has by itself.
    var hasOtherID: Bool {
        let given = ["Sendable", "Hashable", "Equatable", "Comparable"].map { "ID: \($0)" }
        return names.contains("ID") || fixed["ID"].map { $0 != "ObjectIdentifier" } ?? false
            || requirements.contains { Self.isOf("ID", $0) && !given.contains($0) }
    }

    /// The names of the parameters that are open.
    var openNames: [String] { names.filter { fixed[$0] == nil } }

    /// The open ones that need not be copyable: their values cannot be recorded.
    var uncopiedNames: [String] { openNames.filter { bounds[$0, default: []].contains { $0.contains("~") } } }

    /// `<Item: Identifiable, Key>`, or nothing.
    var parameters: String {
        let texts = openNames.map { name in
            bounds[name].map { "\(name): \($0.joined(separator: " & "))" } ?? name
        }
        return texts.isEmpty ? "" : "<\(texts.joined(separator: ", "))>"
    }

    /// ` where …`, or nothing. Demands on types that are fixed are the protocol's to check.
    var whereClause: String {
        let open = requirements.filter { text in openNames.contains { Self.isOf($0, text) } }
        return open.isEmpty ? "" : " where \(open.joined(separator: ", "))"
    }

    /// Whether a demand is one on a type of that name.
    private static func isOf(_ name: String, _ demand: String) -> Bool {
        demand == name || [".", ":", " "].contains { demand.hasPrefix(name + $0) }
    }

    /// What the fixed types are, in order of their names.
    var aliases: [(name: String, type: String)] {
        fixed.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
