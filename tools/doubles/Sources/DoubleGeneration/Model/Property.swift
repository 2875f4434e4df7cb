internal import SwiftSyntax

/// A property, in the parts that a double needs.
struct Property {
    let name: String
    let isStatic: Bool
    /// What stands before the declaration: attributes, `nonisolated`.
    let attributes: String
    /// As the double declares it.
    let type: String
    /// As answers have it.
    let recordedType: String
    let accessors: Accessors

    init(
        _ declaration: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ library: ProtocolLibrary,
        _ location: SourcePosition
    ) throws(SourceIssue) {
        guard let type = binding.typeAnnotation?.type else {
            throw SourceIssue(location, "the property has no type: write one behind its name")
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
