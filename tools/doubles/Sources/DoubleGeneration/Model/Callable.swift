internal import SwiftSyntax

/// A method, an initializer or a subscript, split into the parts that a double needs.
struct Callable {
    /// `data`, `init`, `subscript`.
    let base: String
    let isStatic: Bool
    /// The prefix of the declaration: attributes, `nonisolated`.
    let attributes: String
    /// The generic parameters, with their brackets.
    let generics: String
    let parameters: [Parameter]
    let effects: Effects
    /// The result type; `Void` if there is none.
    let result: String
    /// The type of recorded answers.
    let recordedResult: String
    /// Whether answers have another type than the result, so that each call casts its answer.
    let isErased: Bool
    /// ` where …`, or empty.
    let requirements: String
    let isFailable: Bool

    init(_ syntax: FunctionDeclSyntax, _ library: ProtocolLibrary, _ location: SourcePosition) throws(SourceIssue) {
        if case .identifier = syntax.name.tokenKind {
        } else {
            throw SourceIssue(
                location, "operators are not supported; write this double by hand")
        }
        let effects = syntax.signature.effectSpecifiers
        try self.init(
            base: syntax.name.text, syntax.attributes, syntax.modifiers, syntax.genericParameterClause,
            syntax.genericWhereClause, syntax.signature.parameterClause,
            Effects(isAsync: effects?.asyncSpecifier != nil, throwing: effects?.throwsClause),
            syntax.signature.returnClause?.type, library, location)
    }

    init(_ syntax: InitializerDeclSyntax, _ library: ProtocolLibrary, _ location: SourcePosition) throws(SourceIssue) {
        let effects = syntax.signature.effectSpecifiers
        try self.init(
            base: "init", syntax.attributes, syntax.modifiers, syntax.genericParameterClause, syntax.genericWhereClause,
            syntax.signature.parameterClause,
            Effects(isAsync: effects?.asyncSpecifier != nil, throwing: effects?.throwsClause), nil, library, location,
            isFailable: syntax.optionalMark != nil)
    }

    init(_ syntax: SubscriptDeclSyntax, _ library: ProtocolLibrary, _ location: SourcePosition) throws(SourceIssue) {
        try self.init(
            base: "subscript", syntax.attributes, syntax.modifiers, syntax.genericParameterClause,
            syntax.genericWhereClause, syntax.parameterClause, Effects(), syntax.returnClause.type, library, location)
    }

    private init(
        base: String, _ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax,
        _ generics: GenericParameterClauseSyntax?, _ requirements: GenericWhereClauseSyntax?,
        _ clause: FunctionParameterClauseSyntax, _ effects: Effects, _ result: TypeSyntax?,
        _ library: ProtocolLibrary, _ location: SourcePosition, isFailable: Bool = false
    ) throws(SourceIssue) {
        let eraser = try TypeEraser(generics, requirements, library: library, location: location)
        self.base = base
        isStatic = modifiers.contains { $0.name.text == "static" }
        self.attributes = Self.attributes(attributes, modifiers)
        self.generics = generics.map(SourceText.plain) ?? ""
        self.requirements = requirements.map { " \(SourceText.plain($0))" } ?? ""
        self.effects = effects
        self.isFailable = isFailable
        var parameters: [Parameter] = []
        for (number, parameter) in clause.parameters.enumerated() {
            parameters.append(
                try Parameter(
                    parameter, number: number + 1, isSubscript: base == "subscript", eraser: eraser, location: location)
            )
        }
        self.parameters = parameters
        if let names = generics?.parameters.map(\.name.text), names.contains(effects.failure) {
            throw SourceIssue(
                location,
                "errors of a generic type are not supported; write this double by hand")
        }
        if let result, TypeEraser.isSuppressing(result) { throw TypeEraser.uncopied(location) }
        let returned = result.map(SourceText.plain) ?? "Void"
        self.result = returned == "()" ? "Void" : returned
        recordedResult = self.result == "Void" ? "Void" : result.map(eraser.erased) ?? "Void"
        isErased = result.map { eraser.mentions($0) } ?? false
        if isErased, parameters.contains(where: \.isInout) {
            throw SourceIssue(
                location, "inout parameters with a generic result are not supported; write this double by hand")
        }
    }

    /// The prefix of a member, with a space after each word.
    static func attributes(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax) -> String {
        let words =
            Attributes.ofMember(attributes) + modifiers.map(SourceText.plain).filter { $0.hasPrefix("nonisolated") }
        return words.map { "\($0) " }.joined()
    }

    /// `data(for:)`.
    var signature: String { "\(base)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))" }

    /// `(for request: URLRequest)`.
    var clause: String { "(\(parameters.map(\.declared).joined(separator: ", ")))" }

    /// The type of the recorded arguments: a single type, a tuple, or `Void`.
    var argumentsType: String { Self.tuple(parameters.map { ($0.name, $0.type) }, none: "Void") }

    /// The recorded arguments.
    var arguments: String {
        parameters.count == 1 ? parameters[0].value : "(\(parameters.map(\.value).joined(separator: ", ")))"
    }

    /// A type with several parts.
    static func tuple(_ parts: [(name: String, type: String)], none: String) -> String {
        switch parts.count {
        case 0: none
        case 1: parts[0].type
        default: "(\(parts.map { "\($0.name): \($0.type)" }.joined(separator: ", ")))"
        }
    }

    /// The type of answers: the result, and the new values of `inout` parameters.
    var answerType: String {
        let changed = parameters.filter(\.isInout).map { ($0.name, $0.type) }
        guard !changed.isEmpty else { return recordedResult }
        return Self.tuple((result == "Void" ? [] : [(resultName, result)]) + changed, none: "Void")
    }

    /// The name of the result, which must differ from the parameters' names.
    var resultName: String { unused("result") }

    /// Whether a parameter has this name.
    func has(_ name: String) -> Bool { parameters.contains { SourceText.bare($0.name) == name } }

    /// A name that no parameter has: this name, or a longer one.
    func unused(_ name: String) -> String { has(name) ? unused("\(name)OfCall") : name }
}
