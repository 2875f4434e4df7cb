internal import SwiftSyntax

extension ProtocolDeclaration {
    /// A protocol in an inheritance clause.
    struct Parent {
        let name: String
        /// The arguments for its primary associated types.
        let arguments: [String]
    }

    /// The inherited protocols, in order. Suppressed conformances (`~Copyable`) are left out.
    var parents: [Parent] {
        (syntax.inheritanceClause?.inheritedTypes ?? []).flatMap { Self.parents(in: $0.type) }
    }

    private static func parents(in type: TypeSyntax) -> [Parent] {
        switch type.as(TypeSyntaxEnum.self) {
        case .suppressedType: []
        case .compositionType(let all): all.elements.flatMap { parents(in: $0.type) }
        case .attributedType(let type): parents(in: type.baseType)
        case .identifierType(let type):
            [Parent(name: type.name.text, arguments: type.genericArgumentClause.map(arguments) ?? [])]
        default: [Parent(name: SourceText.plain(type), arguments: [])]
        }
    }

    private static func arguments(of clause: GenericArgumentClauseSyntax) -> [String] {
        clause.arguments.map { SourceText.plain($0.argument) }
    }

    /// The protocol's global actor, such as `@MainActor`.
    var isolation: [String] { Attributes.isolation(syntax.attributes) }
}
