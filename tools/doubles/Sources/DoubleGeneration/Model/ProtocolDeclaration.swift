internal import SwiftSyntax

/// A protocol of the sources.
struct ProtocolDeclaration: Sendable {
    let syntax: ProtocolDeclSyntax
    /// Present if a double is asked for.
    let mark: Mark?
    /// The types that it is declared in, from the outermost.
    let outer: [String]
    let conditions: Conditions
    let place: SourcePlace
    let requirements: [Requirement]
    let associatedTypes: [AssociatedTypeDeclSyntax]

    var name: String { syntax.name.text }
    var doubleName: String { mark?.name ?? "\(name)Double" }

    /// Who sees it; nil for nobody but its own file.
    let access: Access?
}

/// A member that a protocol asks for.
struct Requirement: Sendable {
    enum Kind: Sendable {
        case method(FunctionDeclSyntax)
        case property(VariableDeclSyntax, PatternBindingSyntax)
        case `subscript`(SubscriptDeclSyntax)
        case initializer(InitializerDeclSyntax)
    }

    let kind: Kind
    let conditions: Conditions
    let place: SourcePlace
}

/// An `import` of the sources.
struct ImportLine: Hashable, Sendable {
    /// What stands before it: `@preconcurrency`, for instance, and a space.
    let attributes: String
    /// `public ` and the like; empty if nothing is said.
    let access: String
    /// What is imported: `Foundation`, `struct Geometry.Point`.
    let what: String
    let conditions: Conditions
}

/// What a parsed file holds.
struct ParsedFile: Sendable {
    /// The path from the input folder on.
    let name: String
    var imports: [ImportLine] = []
    var protocols: [ProtocolDeclaration] = []
    var faults: [SourceFault] = []
}
