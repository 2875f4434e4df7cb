internal import SwiftSyntax

/// Whether a member waits, and what it throws.
struct Effects: Equatable {
    var isAsync = false
    /// The type of what is thrown: `Never` for nothing.
    var failure = "Never"
    /// As the double declares it: ` async throws`.
    var declared = ""

    init() {}

    init(isAsync: Bool, throwing clause: ThrowsClauseSyntax?) {
        self.isAsync = isAsync
        declared = isAsync ? " async" : ""
        // What a closure throws does not come out of the double: a call of it that may not throw could get an error else.
        guard let clause, clause.throwsSpecifier.tokenKind != .keyword(.rethrows) else { return }
        failure = clause.type.map(SourceText.plain) ?? "any Error"
        declared += " \(SourceText.plain(clause))"
    }

    /// What stands before a call.
    var marks: String { (failure == "Never" ? "" : "try ") + (isAsync ? "await " : "") }
}
