internal import SwiftSyntax

/// A member of a double.
struct Member {
    enum Kind {
        case method(Callable)
        case initializer(Callable)
        case `subscript`(Callable, Accessors)
        case property(Property)
    }

    let kind: Kind
    let conditions: Conditions
    let location: SourcePosition

    init(_ requirement: Requirement, _ library: ProtocolLibrary) throws(SourceIssue) {
        conditions = requirement.conditions
        location = requirement.location
        switch requirement.kind {
        case .method(let syntax): kind = .method(try Callable(syntax, library, location))
        case .initializer(let syntax): kind = .initializer(try Callable(syntax, library, location))
        case .subscript(let syntax):
            kind = .subscript(try Callable(syntax, library, location), Accessors(syntax.accessorBlock))
        case .property(let declaration, let binding):
            kind = .property(try Property(declaration, binding, library, location))
        }
    }

    /// Whether calls are recorded for the type, not for an instance.
    var isOfType: Bool {
        switch kind {
        case .method(let callable), .subscript(let callable, _): callable.isStatic
        case .initializer: true
        case .property(let property): property.isStatic
        }
    }

    /// Identifies declarations of the same member in a protocol and its inherited protocols.
    var identity: String {
        let scope = "\(isOfType) \(conditions.parts)"
        switch kind {
        case .method(let call), .initializer(let call), .subscript(let call, _):
            let types = call.parameters.map { $0.declared.drop { $0 != ":" } }.joined(separator: ",")
            return "\(scope) \(call.signature)\(call.generics)(\(types))\(call.effects.isAsync) \(call.result)"
        case .property(let property): return "\(scope) \(property.name)"
        }
    }

    /// Whether another member has all features of this one, such as a property that also has a setter.
    func isCovered(by other: Member) -> Bool {
        switch (kind, other.kind) {
        case (.property(let mine), .property(let others)): others.accessors.isSettable || !mine.accessors.isSettable
        case (.subscript(_, let mine), .subscript(_, let others)): others.isSettable || !mine.isSettable
        default: true
        }
    }
}
