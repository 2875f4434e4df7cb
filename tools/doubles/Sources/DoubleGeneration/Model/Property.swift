internal import SwiftSyntax

/// A property, split into the parts that a double needs.
struct Property {
    let name: String
    let isStatic: Bool
    /// The prefix of the declaration: attributes, `nonisolated`.
    let attributes: String
    /// The type in the double's declaration.
    let type: String
    /// The type of answers.
    let recordedType: String
    let accessors: Accessors

    init(
        _ declaration: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ library: ProtocolLibrary,
        _ location: SourcePosition
    ) throws(SourceIssue) {
        guard let type = binding.typeAnnotation?.type else {
            throw SourceIssue(location, "the property has no type; add one after its name")
        }
        guard !TypeEraser.isSuppressing(type) else { throw TypeEraser.uncopied(location) }
        name = SourceText.plain(binding.pattern)
        isStatic = declaration.modifiers.contains { $0.name.text == "static" }
        attributes = Callable.attributes(declaration.attributes, declaration.modifiers)
        self.type = SourceText.plain(type)
        recordedType = try TypeEraser(nil, nil, library: library, location: location).erased(type)
        accessors = Accessors(binding.accessorBlock)
    }
}
