/// The content of a parsed file.
struct ParsedFile: Sendable {
    /// The path relative to the input folder.
    let name: String
    var imports: [ImportLine] = []
    var protocols: [ProtocolDeclaration] = []
    var issues: [SourceIssue] = []
}
