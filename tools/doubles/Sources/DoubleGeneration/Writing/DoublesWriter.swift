/// Writes the doubles of all marked protocols: one file for each source file.
struct DoublesWriter {
    let library: ProtocolLibrary
    let module: String?
    let access: Access

    /// Generates the files, on all cores.
    ///
    /// - Throws: ``DoublesError`` with code `.source` and the errors of all protocols.
    func files() throws(DoublesError) -> [GeneratedFile] {
        let sources = library.files.filter { file in file.protocols.contains { $0.mark != nil } }
        var issues = nameIssues() + fileIssues(sources)
        var files: [GeneratedFile] = []
        for result in sources.parallelMap({ file in Result { try self.file(file) } }) {
            switch result {
            case .success(let file): files.append(file)
            case .failure(let error): issues.append("\(error)")
            }
        }
        guard issues.isEmpty else { throw DoublesError(.source, issues.joined(separator: "\n")) }
        return files
    }

    /// Doubles with the same name, unless `#if` separates them.
    private func nameIssues() -> [String] {
        var issues: [String] = []
        var taken: [String: ProtocolDeclaration] = [:]
        for (_, declaration) in library.marked {
            let name = (declaration.outer + [declaration.doubleName]).joined(separator: ".")
            if let other = taken[name], !declaration.conditions.mayExclude(other.conditions) {
                let location = "\(other.location.file):\(other.location.line)"
                issues.append(
                    SourceIssue(
                        declaration.location,
                        "\(location) has a double \(name), too; rename one with `// \(Mark.text) NAME`"
                    ).description)
            }
            taken[name] = declaration
        }
        return issues
    }

    /// Files in different folders whose doubles would have the same file name.
    private func fileIssues(_ sources: [ParsedFile]) -> [String] {
        let same = Dictionary(grouping: sources) { Self.fileName($0.name).lowercased() }.values.filter { $0.count > 1 }
        return same.map { files in
            "\(files.map(\.name).joined(separator: ", ")): their doubles would be in the same file "
                + "\(Self.fileName(files[0].name)); use a separate --output for each, or rename one"
        }.sorted()
    }

    /// `HTTPSessionDoubles.swift` for `Boundaries/HTTPSession.swift`.
    private static func fileName(_ source: String) -> String {
        let name = source.split(separator: "/").last ?? ""
        return "\(name.dropLast(".swift".count))Doubles.swift"
    }

    private func file(_ file: ParsedFile) throws(DoublesError) -> GeneratedFile {
        let marked = file.protocols.filter { $0.mark != nil }
        var doubles: [String] = []
        var issues: [String] = []
        for declaration in marked {
            do throws(DoublesError) {
                let plan = try DoublePlan(declaration, library)
                doubles.append(DoubleWriter(plan: plan, access: min(access, declaration.access ?? .internal)).text)
            } catch { issues.append(error.message) }
        }
        guard issues.isEmpty else { throw DoublesError(.source, issues.joined(separator: "\n")) }
        let header = """
            \(GeneratedFile.mark)\(file.name): change that, not this file.
            // swift-format-ignore-file
            """
        let text = ([header, imports(of: file, marked)] + doubles).joined(separator: "\n\n") + "\n"
        return GeneratedFile(name: Self.fileName(file.name), text: text)
    }

    /// The imports of the source, the runtime, and the source's own module.
    private func imports(of file: ParsedFile, _ marked: [ProtocolDeclaration]) -> String {
        let level = min(access, marked.compactMap(\.access).max() ?? .internal)
        var lines: [String] = []
        for line in file.imports where line.what != "TrackingTesting" && line.what != module {
            // Access levels of imports matter only if the doubles are as visible as their protocols.
            let text = "\(line.attributes)\(level == .internal ? "" : line.access)import \(line.what)"
            let wrapped = line.conditions.wrap(text)
            if !lines.contains(wrapped) { lines.append(wrapped) }
        }
        lines.append("\(level.prefix)import TrackingTesting")
        if let module {
            let isTestable = marked.contains { $0.access == .internal }
            lines.append("\(isTestable ? "@testable " : "")\(level.prefix)import \(module)")
        }
        return lines.joined(separator: "\n")
    }
}
