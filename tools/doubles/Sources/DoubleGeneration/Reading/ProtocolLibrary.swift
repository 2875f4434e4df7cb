/// All protocols that doubles are made of: the marked ones, and those that they inherit from.
struct ProtocolLibrary: Sendable {
    /// The files that were parsed, in the order of their paths.
    private(set) var files: [ParsedFile] = []
    private var declarations: [String: [ProtocolDeclaration]] = [:]
    /// The names of all protocols in the sources, parsed or not.
    private let names: Set<String>

    /// The declarations that a double is asked for, each with its file.
    var marked: [(file: ParsedFile, declaration: ProtocolDeclaration)] {
        files.flatMap { file in file.protocols.filter { $0.mark != nil }.map { (file, $0) } }
    }

    /// Parses the files with marks, and then those with what these inherit.
    ///
    /// - Throws: ``DoublesError`` with code `.source` and every fault of these files.
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

    /// What is said of sources that cannot become doubles.
    static func error(_ issues: [SourceIssue]) -> DoublesError {
        DoublesError(.source, Set(issues).sorted().map(\.description).joined(separator: "\n"))
    }

    /// Whether the sources declare a protocol of that name.
    func hasProtocol(named name: String) -> Bool { names.contains(name) }

    /// The protocol that a name stands for in an inheritance clause; nil if no source declares it.
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
