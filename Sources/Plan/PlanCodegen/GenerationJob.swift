internal import Foundation
internal import TrackingPlan

/// What one call of the generator makes, and where it puts it.
package struct GenerationJob {
    /// The folder of schemas.
    package var schemas: String
    package var access = Access.internal
    /// Whether the code is for the SDK itself.
    package var isStandard = false
    /// The folder for a file of each event.
    package var folder: String?
    /// The SDK's events whose types are in `TrackingDomainEvents`, not in ``folder``.
    package var domainEvents: Set<String> = []
    /// The folder for a file of each of these.
    package var domainFolder: String?
    /// The file for all events.
    package var file: String?
    /// The file for the pages alone.
    package var pages: String?
    /// The file for the schemas' examples.
    package var examples: String?
    /// The module that the examples' types are in, if it is not `TrackingCore` only.
    package var examplesImport: String?
    /// The file for the schemas themselves.
    package var embedded: String?

    package init(schemas: String) { self.schemas = schemas }

    /// Makes the code and writes it, or compares it with what is there.
    ///
    /// - Parameter isCheck: Whether nothing is written.
    /// - Returns: The names of the files that were written, and `<name>: removed` for the others.
    /// - Throws: ``CodegenError``, before anything is written if it is the schemas' fault.
    @discardableResult
    package func run(isCheck: Bool = false) throws(CodegenError) -> [String] {
        let plan = try read()
        let hasEvents = plan.files.contains { $0.path.hasPrefix("events/") && EventPlan.isSchema($0.path) }
        guard hasEvents || [PlannedPages.path, UnplannedList.path].contains(where: { plan.file($0) != nil }) else {
            throw CodegenError(.schemas, "\(schemas) holds no schema: name the folder with events/")
        }
        var outputs: [(folder: String, files: [GeneratedFile], isWhole: Bool)] = []
        if let embedded {
            let (folder, name) = Self.split(embedded)
            outputs.append((folder, [try CodeGenerator.embedded(plan, named: name)], false))
        }
        if let pages {
            // Events that have no type in Swift are in nobody's way here.
            let list = PlanFolder(name: plan.name, files: plan.files.filter { $0.path == PlannedPages.path })
            guard let made = try CodeGenerator(list, access: access).pagesFile() else {
                throw CodegenError(.schemas, "\(schemas) lists no page: name the folder with \(PlannedPages.path)")
            }
            let (folder, name) = Self.split(pages)
            outputs.append((folder, [GeneratedFile(name: name, text: made.text)], false))
        }
        if folder != nil || domainFolder != nil || file != nil || examples != nil {
            let generator = try CodeGenerator(
                plan, access: access, isStandard: isStandard, domainEvents: domainEvents)
            if let folder { outputs.append((folder, generator.files(), true)) }
            if let domainFolder { outputs.append((domainFolder, generator.domainFiles(), true)) }
            if let file {
                let (folder, name) = Self.split(file)
                outputs.append((folder, [generator.file(named: name)], false))
            }
            if let examples {
                let (folder, name) = Self.split(examples)
                outputs.append((folder, [try generator.examples(named: name, importing: examplesImport)], false))
            }
        }
        var written: [String] = []
        var issues: [String] = []
        for (path, files, isWhole) in outputs {
            let others = outputs.filter { Self.isSame($0.folder, path) }.flatMap { $0.files.map(\.name) }
            let folder = GeneratedFolder(path: path, isWhole: isWhole, keeping: Set(others))
            guard isCheck else {
                written += try folder.write(files)
                continue
            }
            do throws(CodegenError) { try folder.check(files) } catch {
                guard error.code == .stale else { throw error }
                issues.append(error.message)
            }
        }
        guard issues.isEmpty else { throw CodegenError(.stale, issues.joined(separator: "\n")) }
        return written
    }

    private func read() throws(CodegenError) -> PlanFolder {
        do throws(PlanError) { return try PlanFolder(path: schemas) } catch {
            throw CodegenError(error.code == .noFolder ? .noFolder : .inputOutput, error.message)
        }
    }

    private static func isSame(_ folder: String, _ other: String) -> Bool {
        URL(fileURLWithPath: folder).resolvingSymlinksInPath() == URL(fileURLWithPath: other).resolvingSymlinksInPath()
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}

/// Who may use the generated types.
package enum Access: String, CaseIterable, Sendable {
    case `public`
    case package
    case `internal`

    /// What stands before a declaration.
    var prefix: String { self == .internal ? "" : "\(rawValue) " }
}
