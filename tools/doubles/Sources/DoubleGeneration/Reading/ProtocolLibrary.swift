/// All protocols for doubles: the marked protocols, and those that they inherit.
struct ProtocolLibrary: Sendable {
    /// The parsed files, sorted by path.
    private(set) var files: [ParsedFile] = []
    private var declarations: [String: [ProtocolDeclaration]] = [:]
    /// The names of all protocols in the sources, parsed or not.
    private let names: Set<String>

    /// The declarations with a mark, each with its file.
    var marked: [(file: ParsedFile, declaration: ProtocolDeclaration)] {
        files.flatMap { file in file.protocols.filter { $0.mark != nil }.map { (file, $0) } }
    }

    /// Parses the files with marks, then the files with inherited protocols.
    ///
    /// - Throws: ``DoublesError`` with code `.source` and all errors of these files.
    init(_ sources: [SourceFile]) throws(DoublesError) {
        names = Set(sources.flatMap(\.protocolNames))
        var isParsed = sources.map { $0.markCount > 0 }
        var next = sources.filter { $0.markCount > 0 }
        while !next.isEmpty {
            let parsed = next.parallelMap(ProtocolCollector.parse)
            files += parsed
            for declaration in parsed.flatMap(\.protocols) {
                declarations[SourceText.bare(declaration.name), default: []].append(declaration)
            }
            let missing = missingParents
            next = []
            for index in sources.indices
            where !isParsed[index] && sources[index].protocolNames.contains(where: missing.contains) {
                isParsed[index] = true
                next.append(sources[index])
            }
        }
        files.sort { $0.name < $1.name }
        let issues = files.flatMap(\.issues)
        guard issues.isEmpty else { throw Self.error(issues) }
    }

    /// The error for unsupported sources.
    static func error(_ issues: [SourceIssue]) -> DoublesError {
        DoublesError(.source, Set(issues).sorted().map(\.description).joined(separator: "\n"))
    }

    /// Whether the sources declare a protocol with a name.
    func hasProtocol(named name: String) -> Bool { names.contains(name) }

    /// The protocol with a name in an inheritance clause; nil if no source declares it.
    func protocolDeclaration(named name: String) -> ProtocolDeclaration? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        return declarations[SourceText.bare(last)]?.first
    }

    private var missingParents: Set<String> {
        var missing: Set<String> = []
        for declaration in declarations.values.joined() {
            for parent in declaration.parents where declarations[parent.name] == nil { missing.insert(parent.name) }
        }
        return missing
    }
}
