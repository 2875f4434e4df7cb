internal import SwiftSyntax

/// Whether a member is async, and what it throws.
struct Effects: Equatable {
    var isAsync = false
    /// The type of thrown errors; `Never` if the member does not throw.
    var failure = "Never"
    /// The effects in the double's declaration, such as ` async throws`.
    var declared = ""

    init() {}

    init(isAsync: Bool, throwing clause: ThrowsClauseSyntax?) {
        self.isAsync = isAsync
        declared = isAsync ? " async" : ""
        // The double does not rethrow a closure's errors: a call that may not throw could get such an error otherwise.
        guard let clause, clause.throwsSpecifier.tokenKind != .keyword(.rethrows) else { return }
        failure = clause.type.map(SourceText.plain) ?? "any Error"
        declared += " \(SourceText.plain(clause))"
    }

    /// The keywords before a call.
    var marks: String { (failure == "Never" ? "" : "try ") + (isAsync ? "await " : "") }
}
