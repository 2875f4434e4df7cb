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
        // These have rules of their own, which find all of them, not only the first.
        let elsewhere: Set<SchemaError.Code> = [.invalidKeyword, .unresolvedReference, .invalidPattern]
        let found = Set([metaSchema, dialect, deadReference].flatMap { $0.check(plan) }.map(\.path))
        return plan.judge.errors.compactMap { path, error in
            let place = SchemaJudge.path(of: error) ?? path
            let isFound = found.contains(path) || found.contains(place)
            guard !elsewhere.contains(error.code) || !isFound else { return nil }
            let document = plan.documents.first { $0.path == path }
            let pointer = JSONPointer(URIs.split(error.location).fragment) ?? JSONPointer()
            return document?.nodes.first.map { LintFault($0, at: pointer.tokens, error.message) }
        }
    }
}
