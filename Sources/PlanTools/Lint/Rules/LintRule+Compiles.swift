internal import JSONSchema

extension LintRule {
    static let compiles = LintRule(
        "compiles", "Schemas can be compiled",
        why:
            "A schema that refers to itself without going on into the value would be checked for ever; two schemas with "
            + "one URI are one of them to some readers, and the other to the rest.",
        good: .value(##""$ref": "#/properties/name""##),
        bad: .value(##""$ref": "#/properties/value""##)
    ) { plan in
        // The others have rules of their own, which find all of them, not only the first.
        let elsewhere: Set<SchemaError.Code> = [.invalidKeyword, .unresolvedReference, .invalidPattern]
        return plan.judge.errors.filter { !elsewhere.contains($0.error.code) }.compactMap { path, error in
            let document = plan.documents.first { $0.path == path }
            let pointer = JSONPointer(URIs.split(error.location).fragment) ?? JSONPointer()
            return document?.nodes.first.map { LintFault($0, at: pointer.tokens, error.message) }
        }
    }
}
