internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftParserDiagnostics
internal import SwiftSyntax

/// Finds the protocols and imports of a file.
struct ProtocolCollector {
    private let path: String
    private let lines: SourceLocationConverter
    private(set) var file: ParsedFile

    /// Parses a file.
    static func parse(_ source: SourceFile) -> ParsedFile {
        let tree = source.bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
        var collector = ProtocolCollector(
            path: source.path, lines: SourceLocationConverter(fileName: source.path, tree: tree),
            file: ParsedFile(name: source.name))
        if tree.hasError { collector.reportSyntaxErrors(of: tree) }
        for item in tree.statements {
            if case .decl(let declaration) = item.item { collector.read(declaration, outer: [], Conditions()) }
        }
        let used = collector.file.protocols.count { $0.mark != nil }
        if used != source.markCount { collector.checkMarks(of: tree) }
        return collector.file
    }

    private init(path: String, lines: SourceLocationConverter, file: ParsedFile) {
        self.path = path
        self.lines = lines
        self.file = file
    }

    private func location(_ position: AbsolutePosition) -> SourcePosition {
        SourcePosition(file: path, line: lines.location(for: position).line)
    }

    private func location(_ node: some SyntaxProtocol) -> SourcePosition {
        location(node.positionAfterSkippingLeadingTrivia)
    }

    private mutating func reportSyntaxErrors(of tree: SourceFileSyntax) {
        let errors = ParseDiagnosticsGenerator.diagnostics(for: tree).filter { $0.diagMessage.severity == .error }
        for error in errors {
            file.issues.append(SourceIssue(location(error.position), "invalid Swift: \(error.message)"))
        }
    }

    /// Finds marks without a protocol. Text that looks like a mark in a string does not count.
    private mutating func checkMarks(of tree: SourceFileSyntax) {
        let used = file.protocols.filter { $0.mark != nil }
        let taken = Set(used.flatMap { Mark.positions(in: $0.syntax).prefix(1) })
        for position in Mark.positions(in: tree) where !taken.contains(position) {
            file.issues.append(
                SourceIssue(
                    location(position), "`\(Mark.text)` is not above a protocol; move it to the line above one"))
        }
    }

    private mutating func read(_ declaration: DeclSyntax, outer: [String], _ conditions: Conditions) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .importDecl(let syntax): read(syntax, conditions)
        case .protocolDecl(let syntax): read(syntax, outer: outer, conditions)
        case .ifConfigDecl(let syntax):
            for (inner, elements) in conditions.clauses(of: syntax) {
                switch elements {
                case .statements(let items)?:
                    for case .decl(let declaration) in items.map(\.item) { read(declaration, outer: outer, inner) }
                case .decls(let members)?:
                    for member in members { read(member.decl, outer: outer, inner) }
                default: break
                }
            }
        case .structDecl(let type): read(type.memberBlock, outer + [type.name.text], conditions)
        case .classDecl(let type): read(type.memberBlock, outer + [type.name.text], conditions)
        case .enumDecl(let type): read(type.memberBlock, outer + [type.name.text], conditions)
        case .actorDecl(let type): read(type.memberBlock, outer + [type.name.text], conditions)
        case .extensionDecl(let type):
            read(type.memberBlock, outer + [SourceText.plain(type.extendedType)], conditions)
        default: break
        }
    }

    private mutating func read(_ block: MemberBlockSyntax, _ outer: [String], _ conditions: Conditions) {
        for member in block.members { read(member.decl, outer: outer, conditions) }
    }

    private mutating func read(_ syntax: ImportDeclSyntax, _ conditions: Conditions) {
        // Attributes of the source's imports, such as re-exports, do not apply to the doubles.
        let attributes = syntax.attributes.map(SourceText.plain)
            .filter { $0 == "@preconcurrency" || $0.hasPrefix("@_spi") || $0 == "@testable" }
        let what = [syntax.importKindSpecifier?.text, SourceText.plain(syntax.path)].compactMap(\.self)
        file.imports.append(
            ImportLine(
                attributes: attributes.map { "\($0) " }.joined(),
                access: syntax.modifiers.first.map { "\($0.name.text) " } ?? "",
                what: what.joined(separator: " "), conditions: conditions))
    }

    private mutating func read(_ syntax: ProtocolDeclSyntax, outer: [String], _ conditions: Conditions) {
        let levels = syntax.modifiers.map(\.name.text)
        let isPrivate = levels.contains("private") || levels.contains("fileprivate")
        let mark = Mark(above: syntax)
        if let issue = mark?.issue(above: syntax.name.text), let position = Mark.positions(in: syntax).first {
            file.issues.append(SourceIssue(location(position), issue))
        }
        var requirements: [Requirement] = []
        var associatedTypes: [AssociatedTypeDeclSyntax] = []
        read(syntax.memberBlock.members, Conditions(), &requirements, &associatedTypes)
        file.protocols.append(
            ProtocolDeclaration(
                syntax: syntax, mark: mark, outer: outer, conditions: conditions,
                location: location(syntax.protocolKeyword), requirements: requirements,
                associatedTypes: associatedTypes,
                access: isPrivate ? nil : levels.compactMap(Access.init).first ?? .internal))
    }

    private func read(
        _ members: MemberBlockItemListSyntax, _ conditions: Conditions, _ requirements: inout [Requirement],
        _ associatedTypes: inout [AssociatedTypeDeclSyntax]
    ) {
        func add(_ kind: Requirement.Kind, at node: some SyntaxProtocol) {
            requirements.append(Requirement(kind: kind, conditions: conditions, location: location(node)))
        }
        for member in members {
            switch member.decl.as(DeclSyntaxEnum.self) {
            case .functionDecl(let syntax): add(.method(syntax), at: syntax.name)
            case .subscriptDecl(let syntax): add(.subscript(syntax), at: syntax.subscriptKeyword)
            case .initializerDecl(let syntax): add(.initializer(syntax), at: syntax.initKeyword)
            case .variableDecl(let syntax):
                for binding in syntax.bindings { add(.property(syntax, binding), at: binding) }
            case .associatedTypeDecl(let syntax): associatedTypes.append(syntax)
            case .ifConfigDecl(let syntax):
                for case (let inner, .decls(let members)?) in conditions.clauses(of: syntax) {
                    read(members, inner, &requirements, &associatedTypes)
                }
            default: break  // type aliases, which the double inherits
            }
        }
    }
}

/// An `import` of the source files.
struct ImportLine: Hashable, Sendable {
    /// The prefix, such as `@preconcurrency`, with a space.
    let attributes: String
    /// The access level with a space, such as `public `; empty without one.
    let access: String
    /// The imported name, such as `Foundation` or `struct Geometry.Point`.
    let what: String
    let conditions: Conditions
}

/// The content of a parsed file.
struct ParsedFile: Sendable {
    /// The path relative to the input folder.
    let name: String
    var imports: [ImportLine] = []
    var protocols: [ProtocolDeclaration] = []
    var issues: [SourceIssue] = []
}
