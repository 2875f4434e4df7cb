internal import SwiftSyntax

/// A protocol in the source files.
struct ProtocolDeclaration: Sendable {
    let syntax: ProtocolDeclSyntax
    /// The mark; nil if no double is requested.
    let mark: Mark?
    /// The enclosing types, outermost first.
    let outer: [String]
    let conditions: Conditions
    let location: SourcePosition
    let requirements: [Requirement]
    let associatedTypes: [AssociatedTypeDeclSyntax]

    var name: String { syntax.name.text }
    var doubleName: String { mark?.name ?? "\(SourceText.bare(name))Double" }

    /// The access level; nil if private to its file.
    let access: Access?
}

/// A requirement of a protocol.
struct Requirement: Sendable {
    enum Kind: Sendable {
        case method(FunctionDeclSyntax)
        case property(VariableDeclSyntax, PatternBindingSyntax)
        case `subscript`(SubscriptDeclSyntax)
        case initializer(InitializerDeclSyntax)
    }

    let kind: Kind
    let conditions: Conditions
    let location: SourcePosition
}
