/// What a parsed file holds.
struct ParsedFile: Sendable {
    /// The path from the input folder on.
    let name: String
    var imports: [ImportLine] = []
    var protocols: [ProtocolDeclaration] = []
    var issues: [SourceIssue] = []
}
