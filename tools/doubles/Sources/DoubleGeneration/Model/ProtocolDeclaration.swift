internal import SwiftSyntax

/// A protocol of the sources.
struct ProtocolDeclaration: Sendable {
    let syntax: ProtocolDeclSyntax
    /// Present if a double is asked for.
    let mark: Mark?
    /// The types that it is declared in, from the outermost.
    let outer: [String]
    let conditions: Conditions
    let location: SourcePosition
    let requirements: [Requirement]
    let associatedTypes: [AssociatedTypeDeclSyntax]

    var name: String { syntax.name.text }
    var doubleName: String { mark?.name ?? "\(SourceText.bare(name))Double" }

    /// Who sees it; nil for nobody but its own file.
    let access: Access?
}
