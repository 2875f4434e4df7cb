internal import SwiftSyntax

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
